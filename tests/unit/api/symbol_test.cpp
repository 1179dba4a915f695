#include "core/api/symbol.h"

#include <gtest/gtest.h>

#include "core/api/resources.h"

namespace podberth::api {
namespace {

TEST(Symbol, equal_texts_are_one_symbol) {
  const std::string text = "some-name";
  EXPECT_EQ(Symbol(text), Symbol("some-name"));
  EXPECT_EQ(Symbol(text).id(), Symbol("some-name").id());
  EXPECT_EQ(&Symbol(text).str(), &Symbol("some-name").str());
  EXPECT_NE(Symbol(text), Symbol("some-other-name"));
  EXPECT_TRUE(Symbol("some-name") == "some-name");
}

TEST(Symbol, the_empty_symbol_is_that_of_the_empty_text) {
  EXPECT_EQ(Symbol(), Symbol(""));
  EXPECT_TRUE(Symbol().empty());
  EXPECT_EQ(Symbol().id(), 0u);
}

TEST(Symbol, order_is_by_text_whatever_came_first) {
  const Symbol z("order-z"), a("order-a");
  EXPECT_TRUE(a < z);
  EXPECT_FALSE(z < a);
  EXPECT_FALSE(a < a);
}

TEST(ResourceList, items_stand_in_the_order_of_their_names) {
  ResourceList list;
  list.set("memory", Quantity::fromInt(2));
  list.set(resource::kCPU, Quantity::fromInt(1));
  list.set("memory", Quantity::fromInt(3));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list.begin()->first, resource::kCPU);
  EXPECT_EQ(list.find(resource::kMemory)->value(), 3);
  list.erase(resource::kMemory);
  EXPECT_FALSE(list.has(resource::kMemory));
}

}  // namespace
}  // namespace podberth::api

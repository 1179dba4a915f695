#include "core/api/validation.h"

#include <gtest/gtest.h>

namespace podberth::api::validation {
namespace {

TEST(Validation, label_keys) {
  for (const char* key : {"a", "A-1_b.c", "example.com/name", "1", "a.b/c"}) EXPECT_TRUE(labelKey(key).empty()) << key;
  for (const char* key : {"", "-a", "a-", "a b", "A.com/x", "/x", "x/", "a/b/c"})
    EXPECT_FALSE(labelKey(key).empty()) << key;
  EXPECT_TRUE(labelKey(std::string(63, 'a')).empty());
  EXPECT_EQ(labelKey(std::string(64, 'a')), (std::vector<std::string>{"name part must be no more than 63 bytes"}));
  EXPECT_TRUE(labelKey(std::string(253, 'a') + "/a").empty());
  EXPECT_FALSE(labelKey(std::string(254, 'a') + "/a").empty());
}

TEST(Validation, label_values) {
  for (const char* value : {"", "a", "A.b_c-1"}) EXPECT_TRUE(labelValue(value).empty()) << value;
  for (const char* value : {"-", "a ", "a/b", ".a"}) EXPECT_FALSE(labelValue(value).empty()) << value;
  EXPECT_EQ(labelValue(std::string(64, 'a')), (std::vector<std::string>{"must be no more than 63 bytes"}));
}

TEST(Validation, dns_names) {
  EXPECT_TRUE(dns1123Label("a-1").empty());
  EXPECT_EQ(dns1123Label("a.b"), (std::vector<std::string>{"must not contain dots"}));
  EXPECT_FALSE(dns1123Label("A").empty());
  EXPECT_TRUE(dns1123Subdomain("a.b-c.d").empty());
  for (const char* name : {"", "a..b", ".a", "a.", "a-.b", "a_b"}) EXPECT_FALSE(dns1123Subdomain(name).empty()) << name;
}

TEST(Validation, texts) {
  EXPECT_EQ(quote("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\n\\x01\"");
  EXPECT_EQ(jsonList({}), "null");
  EXPECT_EQ(jsonList({"a", "&"}), "[\"a\",\"\\u0026\"]");
  EXPECT_EQ(aggregate({}), "");
  EXPECT_EQ(aggregate({"a", "a"}), "a");
  EXPECT_EQ(aggregate({"a", "b", "a"}), "[a, b]");
  EXPECT_EQ(index(child("a", "b"), 1), "a.b[1]");
}

TEST(Validation, integers_are_read_as_go_reads_them) {
  std::int64_t n = 0;
  EXPECT_TRUE(parseInt64("-9223372036854775808", n));
  EXPECT_EQ(n, INT64_MIN);
  EXPECT_TRUE(parseInt64("+9223372036854775807", n));
  EXPECT_EQ(n, INT64_MAX);
  EXPECT_TRUE(parseInt64("007", n));
  EXPECT_EQ(n, 7);
  for (const char* text : {"", "-", "+", "1.0", "9223372036854775808", "-9223372036854775809", " 1", "1_0", "0x1"}) {
    EXPECT_FALSE(parseInt64(text, n)) << text;
  }
}

}  // namespace
}  // namespace podberth::api::validation

#include "core/scheduler/queue/pod_heap.h"

#include "tests/unit/queue/queue_fixture.h"

namespace podberth::scheduler {
namespace {

bool byPriority(const QueuedPodInfo& a, const QueuedPodInfo& b) { return a.priority() > b.priority(); }

std::string popAll(PodHeap& heap) {
  std::vector<QueuedPodInfoPtr> popped;
  while (!heap.empty()) popped.push_back(heap.pop());
  return names(popped);
}

// The expected orders are those of a Go program with container/heap.
TEST(PodHeapTest, EqualPodsComeInTheOrderOfGosHeap) {
  PodHeap heap(byPriority);
  for (const char c : std::string("abcdefghij")) heap.addOrUpdate(makeInfo(std::string(1, c), 1));
  EXPECT_EQ(names(heap.inOrder()), "a j i h g f e d c b");
  EXPECT_EQ(popAll(heap), "a j i h g f e d c b");
}

TEST(PodHeapTest, TwoPrioritiesComeInTheOrderOfGosHeap) {
  PodHeap heap(byPriority);
  int i = 0;
  for (const char c : std::string("abcdefghij")) heap.addOrUpdate(makeInfo(std::string(1, c), i++ % 2));
  EXPECT_EQ(names(heap.inOrder()), "b d h j f c i e g a");
  EXPECT_EQ(popAll(heap), "b d h j f c i e g a");
}

TEST(PodHeapTest, RemovingKeepsTheOrderOfGosHeap) {
  PodHeap heap(byPriority);
  for (const char c : std::string("abcdefghij")) heap.addOrUpdate(makeInfo(std::string(1, c), 1));
  EXPECT_EQ(heap.remove("default/c")->pod().meta.name, "c");
  EXPECT_NE(heap.remove("default/a"), nullptr);
  EXPECT_EQ(heap.remove("default/a"), nullptr);
  EXPECT_FALSE(heap.has("default/a"));
  EXPECT_EQ(popAll(heap), "i h g f e d j b");
}

TEST(PodHeapTest, AnUpdatePutsThePodToItsPlaceAsGosHeap) {
  PodHeap heap(byPriority);
  for (const char c : std::string("abcdefghij")) heap.addOrUpdate(makeInfo(std::string(1, c), 1));
  heap.addOrUpdate(makeInfo("h", 2));
  heap.addOrUpdate(makeInfo("b", 0));
  heap.addOrUpdate(makeInfo("h", 1));
  EXPECT_EQ(heap.size(), 10u);
  EXPECT_EQ(popAll(heap), "h j i a g f e d c b");
}

TEST(PodHeapTest, AnEmptyHeapGivesNull) {
  PodHeap heap(byPriority);
  EXPECT_EQ(heap.pop(), nullptr);
  EXPECT_EQ(heap.peek(), nullptr);
  EXPECT_EQ(heap.get("default/a"), nullptr);
  EXPECT_TRUE(heap.inOrder().empty());
}

}  // namespace
}  // namespace podberth::scheduler

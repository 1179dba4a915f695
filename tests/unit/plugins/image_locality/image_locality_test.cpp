#include "core/scheduler/plugins/image_locality/image_locality.h"

#include <gtest/gtest.h>

#include "tests/unit/support/plugin_run.h"

namespace podberth::scheduler::plugins {
namespace {

using testkit::makeNode;
using testkit::makePod;

constexpr std::int64_t kMb = 1024 * 1024;

NodeInfo nodeWith(std::initializer_list<std::pair<const char*, ImageState>> images) {
  NodeInfo node = makeNode("n").info();
  for (const auto& [name, state] : images) node.image_states[api::Symbol(name)] = state;
  return node;
}
ImageState image(std::int64_t mb, int nodes) {
  ImageState s;
  s.size = mb * kMb;
  s.num_nodes = nodes;
  return s;
}

TEST(ImageLocality, NamesAreNormalised) {
  EXPECT_EQ(normalizedImageName("root"), "root:latest");
  EXPECT_EQ(normalizedImageName("root:tag"), "root:tag");
  EXPECT_EQ(normalizedImageName("gcr.io:5000/root"), "gcr.io:5000/root:latest");
  EXPECT_EQ(normalizedImageName("gcr.io:5000/root:tag"), "gcr.io:5000/root:tag");
  EXPECT_EQ(normalizedImageName("root@sha256:0123"), "root@sha256:0123");
  EXPECT_EQ(normalizedImageName(""), ":latest");
}

TEST(ImageLocality, ScoresOfNodes) {
  struct Case {
    const char* sentence;
    testkit::PodBuilder pod;
    NodeInfo node;
    std::size_t nodes;
    std::int64_t score;
  };
  const Case cases[] = {
      {"no image here", makePod("p").image("a:1"), nodeWith({}), 2, 0},
      {"another tag is another image", makePod("p").image("a:1"), nodeWith({{"a:2", image(500, 2)}}), 2, 0},
      {"a big image on every node", makePod("p").image("a:1"), nodeWith({{"a:1", image(1000, 2)}}), 2, 100},
      {"bigger does not count for more", makePod("p").image("a:1"), nodeWith({{"a:1", image(4000, 2)}}), 2, 100},
      {"a small one counts for nothing", makePod("p").image("a:1"), nodeWith({{"a:1", image(23, 2)}}), 2, 0},
      {"on half of the nodes it counts half", makePod("p").image("a:1"), nodeWith({{"a:1", image(500, 1)}}), 2, 23},
      {"two containers share a threshold of two", makePod("p").image("a:1").container().image("b"),
       nodeWith({{"a:1", image(500, 1)}, {"b:latest", image(500, 1)}}), 1, 49},
      {"init containers count", makePod("p").image("a:1").init().image("b:2"), nodeWith({{"b:2", image(1000, 1)}}), 1,
       49},
      {"an image that is used twice counts twice", makePod("p").image("a:1").container().image("a:1"),
       nodeWith({{"a:1", image(500, 1)}}), 1, 49},
      {"image volumes count", makePod("p").image("a:1").imageVolume("v"), nodeWith({{"v:latest", image(1000, 1)}}), 1,
       49},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(imageLocalityScore(scoredImages(*c.pod.obj()), c.node, c.nodes), c.score) << c.sentence;
  }
}

}  // namespace
}  // namespace podberth::scheduler::plugins

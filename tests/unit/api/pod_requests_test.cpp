#include "core/api/pod_requests.h"

#include <gtest/gtest.h>

namespace podberth::api {
namespace {

using Amounts = std::vector<std::pair<const char*, const char*>>;

ResourceList list(const Amounts& amounts) {
  ResourceList out;
  for (const auto& [name, amount] : amounts) out.set(std::string_view(name), *Quantity::parse(amount));
  return out;
}

Container container(const char* name, const Amounts& requests, const Amounts& limits = {}) {
  Container c;
  c.name = name;
  c.resources.requests = list(requests);
  c.resources.limits = list(limits);
  return c;
}

Container sidecar(const char* name, const Amounts& requests) {
  Container c = container(name, requests);
  c.restart_policy = "Always";
  return c;
}

ContainerStatus status(const char* name, const Amounts& actual, const Amounts& allocated) {
  ContainerStatus s;
  s.name = name;
  if (!actual.empty()) {
    ResourceRequirements r;
    r.requests = list(actual);
    s.resources = r;
  }
  s.allocated_resources = list(allocated);
  return s;
}

void pending(Pod& pod, const char* reason) {
  PodCondition c;
  c.type = "PodResizePending";
  c.status = "True";
  c.reason = reason;
  pod.status.conditions.push_back(c);
}

TEST(PodRequests, containers_add_up_and_init_containers_need_their_most) {
  Pod pod;
  pod.spec.containers = {container("a", {{"cpu", "1"}, {"memory", "1Gi"}}), container("b", {{"cpu", "2"}})};
  EXPECT_EQ(podRequests(pod), list({{"cpu", "3"}, {"memory", "1Gi"}}));
  pod.spec.init_containers = {container("i", {{"cpu", "2"}, {"memory", "3Gi"}}), container("j", {{"cpu", "4"}})};
  EXPECT_EQ(podRequests(pod), list({{"cpu", "4"}, {"memory", "3Gi"}}));
  pod.spec.overhead = list({{"cpu", "500m"}, {"x/y", "1"}});
  EXPECT_EQ(podRequests(pod), list({{"cpu", "4500m"}, {"memory", "3Gi"}, {"x/y", "1"}}));
  PodResourcesOptions options;
  options.exclude_overhead = true;
  EXPECT_EQ(podRequests(pod, options), list({{"cpu", "4"}, {"memory", "3Gi"}}));
}

TEST(PodRequests, sidecars_run_beside_later_init_containers_and_the_containers) {
  Pod pod;
  pod.spec.containers = {container("a", {{"cpu", "1"}})};
  pod.spec.init_containers = {container("i", {{"cpu", "5"}}), sidecar("s", {{"cpu", "2"}}),
                              container("j", {{"cpu", "4"}}), sidecar("t", {{"cpu", "1"}})};
  // i: 5; s and j: 6; s, t and a: 4.
  EXPECT_EQ(podRequests(pod), list({{"cpu", "6"}}));
  pod.spec.init_containers[2] = container("j", {{"cpu", "1"}});
  EXPECT_EQ(podRequests(pod), list({{"cpu", "5"}}));
  pod.spec.init_containers[0] = container("i", {});
  EXPECT_EQ(podRequests(pod), list({{"cpu", "4"}}));
}

TEST(PodRequests, what_a_container_does_not_say_may_be_assumed) {
  Pod pod;
  pod.spec.containers = {container("a", {{"cpu", "0"}}), container("b", {})};
  const ResourceList missing = list({{"cpu", "100m"}, {"memory", "200Mi"}});
  PodResourcesOptions options;
  options.non_missing_container_requests = &missing;
  EXPECT_EQ(podRequests(pod, options), list({{"cpu", "100m"}, {"memory", "400Mi"}}));
}

TEST(PodRequests, pod_level_requests_replace_those_of_the_containers) {
  Pod pod;
  pod.spec.containers = {container("a", {{"cpu", "1"}, {"x/y", "3"}})};
  ResourceRequirements level;
  level.requests = list({{"cpu", "4"}, {"x/y", "9"}, {"hugepages-2Mi", "4Mi"}});
  pod.spec.resources = level;
  EXPECT_EQ(podRequests(pod), list({{"cpu", "4"}, {"x/y", "3"}, {"hugepages-2Mi", "4Mi"}}));
  PodResourcesOptions options;
  options.skip_pod_level_resources = true;
  EXPECT_EQ(podRequests(pod, options), list({{"cpu", "1"}, {"x/y", "3"}}));
  pod.spec.resources->requests = list({{"x/y", "9"}});
  EXPECT_FALSE(isPodLevelRequestsSet(pod));
  EXPECT_EQ(podRequests(pod), list({{"cpu", "1"}, {"x/y", "3"}}));
}

TEST(PodRequests, while_a_resize_is_under_way_the_most_counts) {
  Pod pod;
  pod.spec.containers = {container("a", {{"cpu", "2"}})};
  pod.status.container_statuses = {status("a", {{"cpu", "3"}}, {{"cpu", "4"}})};
  EXPECT_EQ(podRequests(pod), list({{"cpu", "2"}}));
  PodResourcesOptions options;
  options.use_status_resources = true;
  EXPECT_EQ(podRequests(pod, options), list({{"cpu", "4"}}));
  pod.spec.containers = {container("a", {{"cpu", "8"}})};
  EXPECT_EQ(podRequests(pod, options), list({{"cpu", "8"}}));
  pending(pod, "Deferred");
  EXPECT_EQ(podRequests(pod, options), list({{"cpu", "8"}}));
  pod.status.conditions.clear();
  pending(pod, "Infeasible");
  EXPECT_EQ(podRequests(pod, options), list({{"cpu", "4"}}));
}

TEST(PodRequests, without_actual_resources_the_allocated_ones_count) {
  Pod pod;
  pod.spec.containers = {container("a", {{"cpu", "8"}}), container("b", {{"cpu", "1"}})};
  pod.status.container_statuses = {status("a", {}, {{"cpu", "4"}})};
  pending(pod, "Infeasible");
  PodResourcesOptions options;
  options.use_status_resources = true;
  EXPECT_EQ(podRequests(pod, options), list({{"cpu", "4"}}));
}

TEST(PodRequests, pod_level_status_counts_behind_its_gate) {
  Pod pod;
  pod.spec.containers = {container("a", {{"cpu", "1"}})};
  ResourceRequirements level, actual;
  level.requests = list({{"cpu", "2"}});
  actual.requests = list({{"cpu", "3"}});
  pod.spec.resources = level;
  pod.status.resources = actual;
  pod.status.allocated_resources = list({{"cpu", "5"}});
  PodResourcesOptions options;
  options.use_status_resources = true;
  EXPECT_EQ(podRequests(pod, options), list({{"cpu", "2"}}));
  options.in_place_pod_level_resize = true;
  EXPECT_EQ(podRequests(pod, options), list({{"cpu", "5"}}));
}

TEST(PodLimits, overhead_is_added_to_what_is_limited) {
  Pod pod;
  pod.spec.containers = {container("a", {}, {{"cpu", "1"}, {"memory", "0"}})};
  pod.spec.overhead = list({{"cpu", "500m"}, {"memory", "1"}, {"x/y", "1"}});
  EXPECT_EQ(podLimits(pod), list({{"cpu", "1500m"}, {"memory", "0"}}));
}

}  // namespace
}  // namespace podberth::api

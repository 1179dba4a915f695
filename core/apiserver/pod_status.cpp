#include "core/apiserver/pod_status.h"

#include <deque>
#include <map>

#include "core/apiserver/json_view.h"

namespace podberth::apiserver {

api::PodStatus overlaid(api::PodStatus base, const api::PodStatus& given) {
  if (!given.phase.empty()) base.phase = given.phase;
  if (!given.conditions.empty()) base.conditions = given.conditions;
  if (!given.nominated_node_name.empty()) base.nominated_node_name = given.nominated_node_name;
  if (given.start_time) base.start_time = given.start_time;
  if (!given.qos_class.empty()) base.qos_class = given.qos_class;
  if (!given.container_statuses.empty()) base.container_statuses = given.container_statuses;
  if (!given.init_container_statuses.empty()) base.init_container_statuses = given.init_container_statuses;
  if (given.resources) base.resources = given.resources;
  if (!given.allocated_resources.empty()) base.allocated_resources = given.allocated_resources;
  if (given.observed_generation != 0) base.observed_generation = given.observed_generation;
  if (!given.rest.empty()) {
    Json rest = parseRest(base.rest);
    rest.update(parseRest(given.rest));
    base.rest = dumpRest(rest);
  }
  return base;
}

void preserveStatus(api::PodStatus& status, const api::PodStatus& old_status) {
  if (status.qos_class.empty()) status.qos_class = old_status.qos_class;
  if (status.observed_generation == 0) status.observed_generation = old_status.observed_generation;
  // There may be several conditions of a type: the first of them in the one belongs to the first in the other.
  std::map<std::string, std::deque<std::int64_t>> generations;
  for (const api::PodCondition& condition : old_status.conditions) {
    generations[condition.type].push_back(condition.observed_generation);
  }
  for (api::PodCondition& condition : status.conditions) {
    std::deque<std::int64_t>& known = generations[condition.type];
    std::int64_t generation = 0;
    if (!known.empty()) {
      generation = known.front();
      known.pop_front();
    }
    if (condition.observed_generation == 0) condition.observed_generation = generation;
  }
}

}  // namespace podberth::apiserver

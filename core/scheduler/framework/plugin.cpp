#include "core/scheduler/framework/plugin.h"

#include <algorithm>
#include <map>

#include "core/base/sort.h"

namespace podberth::scheduler {
namespace {

void insertSorted(std::vector<std::string>* set, const std::string& value) {
  const auto it = std::lower_bound(set->begin(), set->end(), value);
  if (it == set->end() || *it != value) set->insert(it, value);
}

}  // namespace

std::string_view pointName(Point p) {
  switch (p) {
    case Point::kPreEnqueue:
      return "PreEnqueue";
    case Point::kQueueSort:
      return "QueueSort";
    case Point::kPreFilter:
      return "PreFilter";
    case Point::kFilter:
      return "Filter";
    case Point::kPostFilter:
      return "PostFilter";
    case Point::kPreScore:
      return "PreScore";
    case Point::kScore:
      return "Score";
    case Point::kReserve:
      return "Reserve";
    case Point::kPermit:
      return "Permit";
    case Point::kPreBind:
      return "PreBind";
    case Point::kBind:
      return "Bind";
    case Point::kPostBind:
      return "PostBind";
  }
  return "";
}

PreFilterResult PreFilterResult::merge(const PreFilterResult& other) const {
  if (allNodes()) return other;
  if (other.allNodes()) return *this;
  PreFilterResult out;
  out.node_names.emplace();
  std::set_intersection(node_names->begin(), node_names->end(), other.node_names->begin(), other.node_names->end(),
                        std::back_inserter(*out.node_names));
  return out;
}

void Diagnosis::addPluginStatus(const Status& status) {
  if (status.plugin().empty()) return;
  if (status.isRejected()) insertSorted(&unschedulable_plugins, status.plugin());
  if (status.code() == Code::kPending) insertSorted(&pending_plugins, status.plugin());
}

std::string FitError::message() const {
  std::string out = "0/" + std::to_string(num_all_nodes) + " nodes are available:";
  if (!diagnosis.pre_filter_msg.empty()) {
    out += " " + diagnosis.pre_filter_msg + ".";
  } else {
    std::map<std::string, std::size_t> counts;
    // Many nodes share one status: count those once.
    const Status* last = nullptr;
    std::size_t run = 0;
    const auto flush = [&] {
      if (last == nullptr) return;
      for (const std::string& reason : last->reasons()) counts[reason] += run;
    };
    for (const auto& [node, status] : diagnosis.node_to_status.explicitStatuses()) {
      if (last != nullptr && last->sharedWith(status)) {
        ++run;
        continue;
      }
      flush();
      last = &status;
      run = 1;
    }
    flush();
    const std::size_t known = diagnosis.node_to_status.size();
    if (known < num_all_nodes) {
      for (const std::string& reason : diagnosis.node_to_status.absent().reasons()) {
        counts[reason] += num_all_nodes - known;
      }
    }
    std::vector<std::string> lines;
    for (const auto& [reason, count] : counts) lines.push_back(std::to_string(count) + " " + reason);
    base::sortTexts(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? " " : ", ") + lines[i];
    if (!lines.empty()) out += ".";
  }
  if (!diagnosis.post_filter_msg.empty()) out += " " + diagnosis.post_filter_msg;
  return out;
}

}  // namespace podberth::scheduler

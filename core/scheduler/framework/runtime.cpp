#include "core/scheduler/framework/runtime.h"

#include <algorithm>

namespace podberth::scheduler {
namespace {

bool isAfterFilters(std::string_view point) {
  return point == "Reserve" || point == "Permit" || point == "WaitOnPermit" || point == "PreBind" || point == "Bind";
}

}  // namespace

Framework::Framework(std::string profile_name, std::optional<std::int32_t> percentage_of_nodes_to_score,
                     FrameworkShared& shared)
    : profile_name_(std::move(profile_name)),
      percentage_(percentage_of_nodes_to_score),
      shared_(shared),
      batch_(*this) {}

std::size_t Framework::indexOf(const std::string& name) const {
  for (std::size_t i = 0; i < plugins_.size(); ++i) {
    if (plugins_[i]->name() == name) return i;
  }
  return plugins_.size();
}

std::vector<Framework::Entry> Framework::entriesOf(const std::vector<std::string>& names) const {
  std::vector<Entry> out;
  for (const std::string& name : names) {
    Entry entry;
    entry.index = indexOf(name);
    if (entry.index == plugins_.size()) continue;
    entry.plugin = plugins_[entry.index].get();
    entry.name = name;
    entry.pre_filter_extensions = entry.plugin->hasPreFilterExtensions();
    out.push_back(std::move(entry));
  }
  return out;
}

void Framework::setPlugins(const config::ExpandedPlugins& expanded, std::vector<std::unique_ptr<Plugin>> plugins) {
  plugins_ = std::move(plugins);
  pre_enqueue_ = entriesOf(expanded.pre_enqueue);
  queue_sort_ = entriesOf(expanded.queue_sort);
  pre_filter_ = entriesOf(expanded.pre_filter);
  filter_ = entriesOf(expanded.filter);
  post_filter_ = entriesOf(expanded.post_filter);
  pre_score_ = entriesOf(expanded.pre_score);
  reserve_ = entriesOf(expanded.reserve);
  permit_ = entriesOf(expanded.permit);
  pre_bind_ = entriesOf(expanded.pre_bind);
  bind_ = entriesOf(expanded.bind);
  post_bind_ = entriesOf(expanded.post_bind);
  score_.clear();
  for (const auto& [name, weight] : expanded.score) {
    ScorePlugin score;
    score.index = indexOf(name);
    if (score.index == plugins_.size()) continue;
    score.plugin = plugins_[score.index].get();
    score.weight = weight;
    score_.push_back(score);
  }

  signers_.clear();
  // What an extender would say of two pods that are alike nobody knows.
  can_sign_ = gates().enabled("OpportunisticBatching") && extenders().empty();
  std::vector<const Plugin*> candidates;
  for (const std::vector<Entry>* list : {&pre_filter_, &filter_, &pre_score_}) {
    for (const Entry& entry : *list) candidates.push_back(entry.plugin);
  }
  for (const ScorePlugin& score : score_) candidates.push_back(score.plugin);
  for (const Plugin* plugin : candidates) {
    if (std::find(signers_.begin(), signers_.end(), plugin) != signers_.end()) continue;
    if (plugin->hasSign()) {
      signers_.push_back(plugin);
    } else {
      can_sign_ = false;
    }
  }
}

std::vector<Plugin*> Framework::preEnqueuePlugins() const {
  std::vector<Plugin*> out;
  for (const Entry& entry : pre_enqueue_) out.push_back(entry.plugin);
  return out;
}

std::vector<Plugin*> Framework::filterPlugins() const {
  std::vector<Plugin*> out;
  for (const Entry& entry : filter_) out.push_back(entry.plugin);
  return out;
}

std::vector<const Plugin*> Framework::enqueueExtensions() const {
  constexpr Points kRejecting =
      Point::kPreEnqueue | Point::kPreFilter | Point::kFilter | Point::kReserve | Point::kPermit;
  std::vector<const Plugin*> out;
  for (const std::unique_ptr<Plugin>& plugin : plugins_) {
    if ((plugin->points() & kRejecting) != 0) out.push_back(plugin.get());
  }
  return out;
}

std::vector<const Plugin*> Framework::allPlugins() const {
  std::vector<const Plugin*> out;
  for (const std::unique_ptr<Plugin>& plugin : plugins_) out.push_back(plugin.get());
  return out;
}

std::optional<std::string> Framework::signPod(const api::Pod& pod) const {
  if (!can_sign_) return std::nullopt;
  std::map<std::string, std::string> fragments;
  for (const Plugin* plugin : signers_) {
    bool signable = true;
    std::vector<SignFragment> own = plugin->sign(pod, signable);
    if (!signable) return std::nullopt;
    for (SignFragment& fragment : own) fragments[std::move(fragment.key)] = std::move(fragment.value);
  }
  std::string out = pod.spec.scheduler_name;
  for (const auto& [key, value] : fragments) {
    out += '\n';
    out += key;
    out += '=';
    out += std::to_string(value.size());
    out += ':';
    out += value;
  }
  return out;
}

void Framework::recordPoint(const api::Pod& pod, std::string_view point, const Status& status,
                            std::string_view plugin) {
  if (shared_.quiet || !shared_.recorder->points) return;
  trace::Entry& entry = shared_.recorder->add(trace::Type::kPoint, pod.key());
  entry.point = std::string(point);
  entry.plugin = plugin.empty() ? status.plugin() : std::string(plugin);
  entry.reason = std::string(codeName(status.code()));
  // Behind the filters a point has one verdict about one pod.
  if (!status.isSuccess() && !status.isWait() && isAfterFilters(point)) entry.message = status.message();
}

void Framework::event(const api::Pod& pod, std::string_view reason, const std::string& message) {
  if (shared_.quiet) return;
  trace::Entry& entry = shared_.recorder->add(trace::Type::kEvent, pod.key());
  entry.reason = std::string(reason);
  entry.message = message;
}

void Framework::logError(const std::string& message, const std::string& error, const std::string& pod) {
  if (shared_.quiet) return;
  trace::Entry& entry = shared_.recorder->add(trace::Type::kLog, pod.empty() ? shared_.current_pod : pod);
  entry.message = message;
  entry.error = error;
}

void Framework::activate(const std::vector<api::PodPtr>& pods) {
  if (shared_.activate) shared_.activate(pods);
}

void Framework::moveAllToActiveOrBackoffQueue(const ClusterEvent& event, const api::ObjectPtr& old_object,
                                              const api::ObjectPtr& new_object) {
  if (shared_.move_all) shared_.move_all(event, old_object, new_object);
}

WaitingPod* Framework::waitingPod(const std::string& uid) { return shared_.waiting_pods->get(uid).get(); }

bool Framework::rejectWaitingPod(const std::string& uid) {
  const std::shared_ptr<PermitWait> pod = shared_.waiting_pods->get(uid);
  return pod != nullptr && pod->reject("", "removed");
}

bool Framework::cancelPodInPreBind(const std::string& uid, const std::string& reason) {
  return shared_.pods_in_pre_bind->cancel(uid, reason);
}

}  // namespace podberth::scheduler

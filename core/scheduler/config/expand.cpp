#include "core/scheduler/config/expand.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

#include "core/api/go_text.h"
#include "core/api/raw_json.h"
#include "core/scheduler/config/rules.h"

namespace podberth::scheduler::config {
namespace {

using api::go::quote;

constexpr std::int64_t kMaxTotalScore = std::numeric_limits<std::int64_t>::max();
constexpr const char* kAllPlugins = "*";
constexpr const char* kNodeResourcesFit = "NodeResourcesFit";

// Points at which only pod groups are scheduled: Point has no flag for them, so their plugins are named here.
bool worksForPodGroups(const PluginPoint Plugins::*point, std::string_view plugin) {
  if (point == &Plugins::placement_generate) return plugin == "TopologyPlacementGenerator";
  if (point == &Plugins::placement_score) return plugin == kNodeResourcesFit || plugin == "PodGroupPodsCount";
  if (point == &Plugins::pod_group_post_filter) return plugin == "DefaultPreemption" || plugin == "DynamicResources";
  return false;
}

struct ExtensionPoint {
  PluginPoint Plugins::*set;
  std::vector<std::string> ExpandedPlugins::*list;  // null: score, or a point of pod groups
  Points flag;                                      // 0: a point of pod groups
  const char* type;                                 // the Go interface, as error texts name it
};

// In the order of frameworkImpl.getExtensionPoints, which decides the error that is found first.
const std::array<ExtensionPoint, 15>& extensionPoints() {
  using E = ExpandedPlugins;
  static const auto flag = [](Point p) { return static_cast<Points>(p); };
  static const std::array<ExtensionPoint, 15> points{{
      {&Plugins::pre_filter, &E::pre_filter, flag(Point::kPreFilter), "PreFilterPlugin"},
      {&Plugins::filter, &E::filter, flag(Point::kFilter), "FilterPlugin"},
      {&Plugins::post_filter, &E::post_filter, flag(Point::kPostFilter), "PostFilterPlugin"},
      {&Plugins::reserve, &E::reserve, flag(Point::kReserve), "ReservePlugin"},
      {&Plugins::pre_score, &E::pre_score, flag(Point::kPreScore), "PreScorePlugin"},
      {&Plugins::score, nullptr, flag(Point::kScore), "ScorePlugin"},
      {&Plugins::pre_bind, &E::pre_bind, flag(Point::kPreBind), "PreBindPlugin"},
      {&Plugins::bind, &E::bind, flag(Point::kBind), "BindPlugin"},
      {&Plugins::post_bind, &E::post_bind, flag(Point::kPostBind), "PostBindPlugin"},
      {&Plugins::permit, &E::permit, flag(Point::kPermit), "PermitPlugin"},
      {&Plugins::pre_enqueue, &E::pre_enqueue, flag(Point::kPreEnqueue), "PreEnqueuePlugin"},
      {&Plugins::queue_sort, &E::queue_sort, flag(Point::kQueueSort), "QueueSortPlugin"},
      {&Plugins::placement_generate, nullptr, 0, "PlacementGeneratePlugin"},
      {&Plugins::placement_score, nullptr, 0, "PlacementScorePlugin"},
      {&Plugins::pod_group_post_filter, nullptr, 0, "PodGroupPostFilterPlugin"},
  }};
  return points;
}

bool contains(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

void insert(std::vector<std::string>& list, const std::string& name) {
  if (!contains(list, name)) list.push_back(name);
}

std::string noBinder(const Rules& rules, const std::string& scheduler) {
  std::string text(rules.no_binder);
  const std::size_t name = text.find("%s");
  return name == std::string::npos ? text : text.replace(name, 2, scheduler);
}

// One expansion: the profile's sets and what is known of the plugins that could be made.
class Expansion {
 public:
  Expansion(const Profile& profile, const PointsOf& points_of) : profile_(profile) {
    for (const std::string& name : pluginsNeeded(profile, points_of)) made_[name] = *points_of(name);
  }

  std::string run(ExpandedPlugins& out) {
    std::array<std::vector<std::string>, 15> lists;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      std::string error = explicitPlugins(extensionPoints()[i], lists[i]);
      if (!error.empty()) return error;
    }
    // One point after the other, so that errors come in upstream's order.
    if (!profile_.plugins.multi_point.enabled.empty()) {
      for (std::size_t i = 0; i < lists.size(); ++i) {
        std::string error = expandMultiPoint(extensionPoints()[i], lists[i]);
        if (!error.empty()) return error;
      }
    }
    std::vector<std::string> score;
    std::size_t placement_generators = 0;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const ExtensionPoint& point = extensionPoints()[i];
      if (point.set == &Plugins::score) score = lists[i];
      if (point.set == &Plugins::placement_generate) placement_generators = lists[i].size();
      if (point.list != nullptr) out.*point.list = std::move(lists[i]);
    }
    const Rules& rules = *profile_.rules;
    const std::string scheduler = quote(profile_.scheduler_name);
    if (out.queue_sort.size() != 1) {
      const std::string text = "one queue sort plugin required for profile with scheduler name " + scheduler;
      if (!rules.counts_queue_sorts) return text;
      return "only " + text + ", but got " + std::to_string(out.queue_sort.size());
    }
    if (rules.binder_before_weights && out.bind.empty()) return noBinder(rules, scheduler);
    if (placement_generators > 1) {
      return "at most one placement generate plugin is allowed for profile with scheduler name " + scheduler;
    }
    std::string error = weights(score, out);
    if (error.empty() && out.bind.empty()) error = noBinder(rules, scheduler);
    return error;
  }

 private:
  bool implements(const std::string& plugin, const ExtensionPoint& point) const {
    if (point.flag == 0) return worksForPodGroups(point.set, plugin);
    return (made_.at(plugin) & point.flag) != 0;
  }

  // updatePluginList: what the point itself enables.
  std::string explicitPlugins(const ExtensionPoint& point, std::vector<std::string>& list) const {
    for (const PluginRef& ref : (profile_.plugins.*point.set).enabled) {
      if (made_.find(ref.name) == made_.end()) {
        return std::string(point.type) + " " + quote(ref.name) + " does not exist";
      }
      if (!implements(ref.name, point)) {
        return "plugin " + quote(ref.name) + " does not extend " + point.type + " plugin";
      }
      if (contains(list, ref.name)) return "plugin " + quote(ref.name) + " already registered as " + quote(point.type);
      list.push_back(ref.name);
    }
    return "";
  }

  std::string expandMultiPoint(const ExtensionPoint& point, std::vector<std::string>& list) const {
    const PluginPoint& set = profile_.plugins.*point.set;
    std::set<std::string> disabled;
    for (const PluginRef& ref : set.disabled) disabled.insert(ref.name);
    if (disabled.count(kAllPlugins) != 0) return "";

    std::vector<std::string> overriding;
    std::vector<std::string> multi_point;
    for (const PluginRef& ref : profile_.plugins.multi_point.enabled) {
      if (made_.find(ref.name) == made_.end()) {
        return std::string(point.type) + " " + quote(ref.name) + " does not exist";
      }
      if (!implements(ref.name, point) || disabled.count(ref.name) != 0) continue;
      if (contains(list, ref.name)) {
        insert(overriding, ref.name);
        continue;
      }
      if (contains(multi_point, ref.name)) {
        return "plugin " + quote(ref.name) + " already registered as " + quote(point.type);
      }
      multi_point.push_back(ref.name);
    }
    // Those that override a plugin of multiPoint, then multiPoint's, then the others of the point itself.
    std::vector<std::string> ordered;
    for (const std::string& name : list) {
      if (contains(overriding, name)) ordered.push_back(name);
    }
    ordered.insert(ordered.end(), multi_point.begin(), multi_point.end());
    for (const std::string& name : list) {
      if (!contains(overriding, name)) ordered.push_back(name);
    }
    list = std::move(ordered);
    return "";
  }

  // getValidScoreWeights: the first mention counts, the score point's before multiPoint's.
  std::string weights(const std::vector<std::string>& score, ExpandedPlugins& out) const {
    std::map<std::string, std::int32_t> weight_of;
    std::int64_t total = 0;
    for (const PluginPoint* set : {&profile_.plugins.score, &profile_.plugins.multi_point}) {
      for (const PluginRef& ref : set->enabled) {
        const auto made = made_.find(ref.name);
        if (made == made_.end() || !has(made->second, Point::kScore) || weight_of.count(ref.name) != 0) continue;
        const std::int32_t weight = ref.weight == 0 ? 1 : ref.weight;
        weight_of[ref.name] = weight;
        // The difference wraps as in Go: behind a negative weight any further one counts as an overflow.
        const std::int64_t most = std::int64_t{weight} * kMaxNodeScore;
        if (most >
            static_cast<std::int64_t>(static_cast<std::uint64_t>(kMaxTotalScore) - static_cast<std::uint64_t>(total))) {
          return std::string(profile_.rules->overflow);
        }
        total += most;
      }
    }
    for (const std::string& name : score) {
      const auto weight = weight_of.find(name);
      if (weight == weight_of.end()) return "score plugin " + quote(name) + " is not configured with weight";
      out.score.emplace_back(name, weight->second);
    }
    return "";
  }

  const Profile& profile_;
  std::map<std::string, Points> made_;
};

}  // namespace

std::vector<std::string> pluginsNeeded(const Profile& profile, const PointsOf& points_of) {
  std::vector<std::string> all;
  const auto add = [&](const PluginPoint& set) {
    for (const PluginRef& ref : set.enabled) {
      if (!contains(all, ref.name) && points_of(ref.name).has_value()) all.push_back(ref.name);
    }
  };
  add(profile.plugins.multi_point);
  for (const ExtensionPoint& point : extensionPoints()) add(profile.plugins.*point.set);
  return all;
}

std::string expandPlugins(const Profile& profile, const PointsOf& points_of, ExpandedPlugins& out) {
  out = ExpandedPlugins();
  std::set<std::string> configured;
  for (const auto& item : profile.plugin_config) {
    if (!configured.insert(item.first).second) return "repeated config for plugin " + item.first;
  }
  out.all = pluginsNeeded(profile, points_of);
  for (const std::string& name : out.all) {
    const std::string error = pluginArgsError(profile, name);
    if (!error.empty()) return factoryError(name, error);
  }
  return Expansion(profile, points_of).run(out);
}

std::string factoryError(std::string_view plugin, const std::string& error) {
  return "initializing plugin " + quote(plugin) + ": " + error;
}

std::string profileError(const Profile& profile, const std::string& error) {
  return "initializing profiles: creating profile for scheduler name " + profile.scheduler_name + ": " + error;
}

std::string ProfileChecker::check(const Profile& profile, const std::string& queue_sort) {
  static const std::string prefix = "initializing profiles: ";
  if (profile.scheduler_name.empty()) return prefix + "scheduler name is needed";
  if (contains(names_, profile.scheduler_name)) {
    return prefix + "duplicate profile with scheduler name " + quote(profile.scheduler_name);
  }
  const PluginArgs* given = profile.args(queue_sort);
  const PluginArgs args = given == nullptr ? PluginArgs() : *given;
  if (queue_sort_.empty()) {
    queue_sort_ = queue_sort;
    queue_sort_args_ = args;
  } else if (queue_sort_ != queue_sort) {
    return prefix + "different queue sort plugins for profile " + quote(profile.scheduler_name) + ": " +
           quote(queue_sort) + ", first: " + quote(queue_sort_);
  } else {
    // Queue sort plugins have no typed arguments.
    const OtherArgs* first = std::get_if<OtherArgs>(&queue_sort_args_);
    const OtherArgs* now = std::get_if<OtherArgs>(&args);
    const auto text = [&](const OtherArgs& other) {
      return profile.rules->queue_sorts_by_spelling ? other.json : api::compactJson(other.json);
    };
    if ((first == nullptr) != (now == nullptr) || (first != nullptr && text(*first) != text(*now))) {
      return prefix + "different queue sort plugin args for profile " + quote(profile.scheduler_name);
    }
  }
  names_.push_back(profile.scheduler_name);
  return "";
}

const PluginArgs* Profile::args(const std::string& plugin) const {
  for (const auto& item : plugin_config) {
    if (item.first == plugin) return &item.second;
  }
  return nullptr;
}

}  // namespace podberth::scheduler::config

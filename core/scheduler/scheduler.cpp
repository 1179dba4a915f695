#include "core/scheduler/scheduler.h"

#include <algorithm>

#include "core/clock/arithmetic.h"
#include "core/scheduler/config/expand.h"
#include "core/scheduler/plugins/registry.h"
#include "core/scheduler/scheduler_impl.h"

namespace podberth::scheduler {
namespace {

// Makes a profile's plugins from the registry, with the errors of runtime.NewFramework.
bool makePlugins(bool samples, const config::Profile& profile, Framework& framework, config::ExpandedPlugins* expanded,
                 std::vector<std::unique_ptr<Plugin>>* out, std::string* error) {
  static const config::PluginArgs no_args;
  const release::PluginSet set = framework.gates().release().plugins;
  const config::PointsOf points_of = plugins::pointsOf(set, samples);
  for (const std::string& name : config::pluginsNeeded(profile, points_of)) {
    const plugins::PluginFactory* factory = plugins::find(set, name, samples);
    if (factory == nullptr) continue;
    const config::PluginArgs* args = profile.args(name);
    std::string refusal = config::pluginArgsError(profile, name);
    std::unique_ptr<Plugin> plugin;
    if (refusal.empty()) plugin = factory->make(args == nullptr ? no_args : *args, framework, &refusal);
    if (plugin == nullptr) {
      *error = config::factoryError(name, refusal);
      return false;
    }
    out->push_back(std::move(plugin));
  }
  *error = config::expandPlugins(profile, points_of, *expanded);
  return error->empty();
}

}  // namespace

std::unique_ptr<Scheduler> Scheduler::create(const config::Configuration& config, const Dependencies& deps,
                                             std::string* error) {
  auto scheduler = std::make_unique<SchedulerImpl>(deps);
  *error = scheduler->init(
      config, [samples = deps.sample_plugins](const config::Profile& profile, Framework& framework,
                                              config::ExpandedPlugins* expanded,
                                              std::vector<std::unique_ptr<Plugin>>* out, std::string* problem) {
        return makePlugins(samples, profile, framework, expanded, out, problem);
      });
  if (!error->empty()) return nullptr;
  return scheduler;
}

SchedulerImpl::SchedulerImpl(const Dependencies& deps)
    : deps_(deps),
      way_(wayOf(deps.gates->release().cycles)),
      cache_([this](const std::string& message, const std::string& error,
                    const std::string& pod) { log(message, error, pod); },
             deps.gates->release().cache, Counting(*deps.gates)),
      recorder_(deps.recorder) {
  shared_.snapshot = &snapshot_;
  shared_.listers = deps.listers;
  shared_.client = deps.client;
  shared_.informers = deps.informers;
  shared_.loop = deps.loop;
  shared_.recorder = deps.recorder;
  shared_.gates = deps.gates;
  shared_.lots = deps.lots;
  shared_.waiting_pods = &waiting_pods_;
  shared_.pods_in_pre_bind = &pods_in_pre_bind_;
}

SchedulerImpl::~SchedulerImpl() {
  if (queue_ != nullptr) queue_->close();
}

std::string SchedulerImpl::init(const config::Configuration& given, const MakePlugins& make_plugins) {
  config::Configuration config = given;
  percentage_of_nodes_to_score_ = config.percentage_of_nodes_to_score.value_or(0);
  batching_ = deps_.gates->enabled("OpportunisticBatching");
  nominated_node_for_expectation_ = deps_.gates->enabled("NominatedNodeNameForExpectation");
  if (config.profiles.empty()) return "at least one profile is required";

  if (deps_.extenders != nullptr && deps_.extender_servers != nullptr) {
    std::string error = buildExtenders(*deps_.extenders, *deps_.extender_servers, shared_, config, &extenders_);
    if (!error.empty()) return error;
    for (const std::unique_ptr<Extender>& extender : extenders_) shared_.extenders.push_back(extender.get());
  }

  QueueOptions options;
  config::ProfileChecker checker;
  for (const config::Profile& profile : config.profiles) {
    auto framework = std::make_unique<Framework>(profile.scheduler_name, profile.percentage_of_nodes_to_score, shared_);
    config::ExpandedPlugins expanded;
    std::vector<std::unique_ptr<Plugin>> plugins;
    std::string error;
    if (!make_plugins(profile, *framework, &expanded, &plugins, &error)) return config::profileError(profile, error);
    framework->setPlugins(expanded, std::move(plugins));
    error = checker.check(profile, expanded.queue_sort.empty() ? std::string() : expanded.queue_sort.front());
    if (!error.empty()) return error;

    Framework* f = framework.get();
    if (!options.less && f->queueSort() != nullptr) {
      options.less = [sort = f->queueSort()](const QueuedPodInfo& a, const QueuedPodInfo& b) {
        return sort->less(a, b);
      };
    }
    if (deps_.gates->release().queue == release::QueuePolicy::kMoveRequestCycle) {
      for (const Plugin* plugin : f->allPlugins()) options.events.add(*plugin);
    } else {
      options.hints[profile.scheduler_name] = buildQueueingHintMap(f->enqueueExtensions(), !extenders_.empty());
    }
    options.pre_enqueue[profile.scheduler_name] = f->preEnqueuePlugins();
    options.signers[profile.scheduler_name] = [f](const api::Pod& pod) { return f->signPod(pod); };
    frameworks_[profile.scheduler_name] = std::move(framework);
  }
  options.initial_backoff = clock::seconds(config.pod_initial_backoff_seconds);
  options.max_backoff = clock::seconds(config.pod_max_backoff_seconds);
  options.pods = deps_.listers == nullptr ? nullptr : deps_.listers->pods;
  options.namespaces = deps_.listers == nullptr ? nullptr : deps_.listers->namespaces;
  std::map<EventResource, std::int64_t> resources = unionedResources(options.hints);
  for (const auto& [resource, actions] : options.events.resources()) resources[resource] |= actions;
  queue_ = makePodQueue(*deps_.loop, *recorder_, *deps_.gates, std::move(options));
  shared_.nominator = queue_.get();
  shared_.activate = [this](const std::vector<api::PodPtr>& pods) { queue_->activate(pods); };
  shared_.move_all = [this](const ClusterEvent& event, const api::ObjectPtr& old_object,
                            const api::ObjectPtr& new_object) {
    queue_->moveAllToActiveOrBackoffQueue(event, old_object, new_object);
  };
  way_.add_event_handlers(*this, resources);
  return {};
}

void SchedulerImpl::log(const std::string& message, const std::string& error, const std::string& pod) {
  trace::Entry& entry = recorder_->add(trace::Type::kLog, pod.empty() ? shared_.current_pod : pod);
  entry.message = message;
  entry.error = error;
}

QueuedPodView SchedulerImpl::view(const QueuedPodInfo& info) const {
  QueuedPodView out;
  out.pod = info.pod().key();
  out.priority = info.priority();
  out.attempts = info.attempts;
  out.unschedulable_plugins = info.unschedulable_plugins;
  out.pending_plugins = info.pending_plugins;
  out.gating_plugin = info.gating_plugin;
  return out;
}

std::vector<QueuedPodView> SchedulerImpl::activeQ() const {
  std::vector<QueuedPodView> out;
  for (const QueuedPodInfoPtr& info : queue_->podsInActiveQ()) out.push_back(view(*info));
  return out;
}

std::vector<QueuedPodView> SchedulerImpl::backoffQ() const {
  std::vector<QueuedPodView> out;
  for (const QueuedPodInfoPtr& info : queue_->podsInBackoffQ()) {
    QueuedPodView pod = view(*info);
    pod.backoff_until = queue_->backoffUntil(*info);
    pod.error_backoff = queue_->inErrorBackoff(*info);
    out.push_back(std::move(pod));
  }
  return out;
}

std::vector<QueuedPodView> SchedulerImpl::unschedulablePods() const {
  std::vector<QueuedPodView> out;
  for (const QueuedPodInfoPtr& info : queue_->unschedulablePods()) out.push_back(view(*info));
  return out;
}

}  // namespace podberth::scheduler

// A scheduling queue with plugins whose answers a test decides, and its trace as short lines.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduler/queue/scheduling_queue.h"

namespace podberth::scheduler {

inline std::shared_ptr<api::Pod> makePod(const std::string& name, std::int32_t priority = 0) {
  auto pod = std::make_shared<api::Pod>();
  pod->meta.name = name;
  pod->meta.ns = "default";
  pod->meta.uid = "uid-" + name;
  pod->spec.scheduler_name = "default-scheduler";
  pod->spec.priority = priority;
  return pod;
}

inline QueuedPodInfoPtr makeInfo(const std::string& name, std::int32_t priority = 0) {
  auto info = std::make_shared<QueuedPodInfo>();
  info->info = std::make_shared<PodInfo>(makePod(name, priority));
  return info;
}

inline ClusterEvent makeEvent(EventResource resource, std::int64_t actions) {
  ClusterEvent event;
  event.resource = resource;
  event.action = actions;
  return event;
}

inline bool byPriorityAndTime(const QueuedPodInfo& a, const QueuedPodInfo& b) {
  if (a.priority() != b.priority()) return a.priority() > b.priority();
  return a.timestamp < b.timestamp;
}

// Names of pods, without their namespace.
inline std::string names(const std::vector<QueuedPodInfoPtr>& infos) {
  std::string out;
  for (const QueuedPodInfoPtr& info : infos) out += (out.empty() ? "" : " ") + info->pod().meta.name;
  return out;
}

// Says no to the pods whose name it knows.
class FakeGate : public Plugin {
 public:
  std::string_view name() const override { return "Gate"; }
  Points points() const override { return static_cast<Points>(Point::kPreEnqueue); }
  Status preEnqueue(const api::Pod& pod) override {
    ++asked;
    const auto it = closed.find(pod.meta.name);
    return it == closed.end() ? Status() : Status(it->second, "closed");
  }
  std::map<std::string, Code> closed;
  int asked = 0;
};

class QueueTest : public ::testing::Test {
 protected:
  // A plugin "Fit" hears of added nodes, of nodes' taints and of deleted pods; "Volume" of added claims and added
  // nodes; "Gate" of target pods whose gates are gone and of added namespaces' stand-in, the storage class.
  void SetUp() override {
    hint("Fit", makeEvent(EventResource::kNode, action::kAdd));
    hint("Fit", makeEvent(EventResource::kNode, action::kUpdateNodeTaint));
    hint("Fit", makeEvent(EventResource::kAssignedPod, action::kDelete));
    hint("Fit", makeEvent(EventResource::kTargetPod, action::kUpdatePodToleration));
    hint("Volume", makeEvent(EventResource::kPersistentVolumeClaim, action::kAdd));
    hint("Volume", makeEvent(EventResource::kNode, action::kAdd));
    hint("Gate", makeEvent(EventResource::kTargetPod, action::kUpdatePodSchedulingGatesEliminated));
    hint("Gate", makeEvent(EventResource::kStorageClass, action::kAdd));
  }

  void hint(const std::string& plugin, const ClusterEvent& event) {
    PluginHint registered;
    registered.plugin = plugin;
    registered.hint = [this, plugin](const api::Pod& pod, const api::Object*, const api::Object*) {
      asked_.push_back(plugin + ":" + pod.meta.name);
      const auto it = answers_.find(plugin);
      return it == answers_.end() ? HintResult::queue() : it->second;
    };
    options_.hints["default-scheduler"].add(event, std::move(registered));
  }

  SchedulingQueue& queue() {
    if (queue_ == nullptr) {
      if (!options_.less) options_.less = byPriorityAndTime;
      options_.pre_enqueue["default-scheduler"] = {&gate_};
      queue_ = std::make_unique<SchedulingQueue>(loop_, recorder_, gates_, options_);
    }
    return *queue_;
  }

  // Brings a pod through an attempt that `plugins` reject.
  QueuedPodInfoPtr reject(const api::PodPtr& pod, std::vector<std::string> plugins,
                          std::vector<std::string> pending = {}) {
    queue().add(pod);
    return rejectPopped(queue().pop(), std::move(plugins), std::move(pending));
  }
  QueuedPodInfoPtr rejectPopped(const QueuedPodInfoPtr& info, std::vector<std::string> plugins,
                                std::vector<std::string> pending = {}) {
    info->clearRejectorPlugins();
    info->unschedulable_plugins = std::move(plugins);
    info->pending_plugins = std::move(pending);
    EXPECT_EQ(queue().addUnschedulablePodIfNotPresent(info, queue().schedulingCycle()), "");
    return info;
  }

  void happens(EventResource resource, std::int64_t actions) {
    queue().moveAllToActiveOrBackoffQueue(makeEvent(resource, actions), nullptr, nullptr);
  }

  // What has been recorded since the last call.
  std::vector<std::string> told() {
    std::vector<std::string> lines;
    const std::vector<trace::Entry>& entries = recorder_.entries();
    for (; told_ < entries.size(); ++told_) {
      const trace::Entry& e = entries[told_];
      std::string line = trace::typeName(e.type);
      for (const std::string& field :
           {e.pod, e.event, e.queue, e.queueing_hint, e.plugin, e.reason, e.message, e.error}) {
        if (!field.empty()) line += " " + field;
      }
      for (const std::string& plugin : e.plugins) line += " +" + plugin;
      lines.push_back(line);
    }
    return lines;
  }
  using Lines = std::vector<std::string>;

  std::string where() {
    std::string out = "active=" + names(queue().podsInActiveQ());
    out += " backoff=" + names(queue().podsInBackoffQ());
    return out + " unschedulable=" + names(queue().unschedulablePods());
  }

  clock::EventLoop loop_;
  trace::Recorder recorder_{loop_};
  FeatureGates gates_;
  QueueOptions options_;
  FakeGate gate_;
  std::map<std::string, HintResult> answers_;  // of a plugin's hints; kQueue if absent
  std::vector<std::string> asked_;             // "plugin:pod"
  std::size_t told_ = 0;
  std::unique_ptr<SchedulingQueue> queue_;
};

}  // namespace podberth::scheduler

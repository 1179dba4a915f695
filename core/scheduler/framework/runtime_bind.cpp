// Reserve, Permit, PreBind, Bind and PostBind.
#include <algorithm>

#include "core/scheduler/framework/runtime.h"

namespace podberth::scheduler {
namespace {

constexpr clock::Duration kMaxPermitTimeout = 15 * clock::kMinute;

std::string running(std::string_view what, std::string_view plugin, const std::string& error) {
  return "running " + std::string(what) + " \"" + std::string(plugin) + "\": " + error;
}

}  // namespace

Status Framework::runReserve(CycleState& state, const api::PodPtr& pod, const std::string& node) {
  for (Entry& entry : reserve_) {
    const Status status = entry.plugin->reserve(state, pod, node);
    if (status.isSuccess()) continue;
    Status out;
    if (status.isRejected() && rejectsEverywhere()) {
      out = status.withPlugin(entry.name);
    } else {
      const std::string error = status.message();
      logError(failedText("Reserve plugin"), error, pod->key());
      out = Status::error(running("Reserve plugin", entry.name, error));
    }
    recordPoint(*pod, "Reserve", out, entry.name);
    return out;
  }
  recordPoint(*pod, "Reserve", {});
  return {};
}

void Framework::runUnreserve(CycleState& state, const api::PodPtr& pod, const std::string& node) {
  for (auto it = reserve_.rbegin(); it != reserve_.rend(); ++it) it->plugin->unreserve(state, pod, node);
  recordPoint(*pod, "Unreserve", {});
}

Status Framework::runPermit(CycleState& state, const api::PodPtr& pod, const std::string& node,
                            std::map<std::string, clock::Duration>& waits) {
  waits.clear();
  Status wait;
  for (Entry& entry : permit_) {
    clock::Duration timeout = 0;
    const Status status = entry.plugin->permit(state, pod, node, timeout);
    if (status.isSuccess()) continue;
    if (status.isWait()) {
      waits[entry.name] = std::min(timeout, kMaxPermitTimeout);
      wait = status;
      continue;
    }
    waits.clear();
    Status out;
    if (status.isRejected()) {
      out = status.withPlugin(entry.name);
    } else {
      const std::string error = status.message();
      logError(failedText("Permit plugin"), error, pod->key());
      out = Status::error(running("Permit plugin", entry.name, error)).withPlugin(entry.name);
    }
    recordPoint(*pod, "Permit", out);
    return out;
  }
  if (wait.isWait()) wait.appendReason("one or more plugins asked to wait and no plugin rejected pod");
  recordPoint(*pod, "Permit", wait);
  return wait;
}

void Framework::addWaitingPod(const api::PodPtr& pod, const std::map<std::string, clock::Duration>& waits) {
  shared_.waiting_pods->add(loop(), pod, waits);
}

bool Framework::willWaitOnPermit(const api::Pod& pod) const {
  return shared_.waiting_pods->get(pod.meta.uid) != nullptr;
}

void Framework::waitOnPermit(const api::Pod& pod, std::function<void(const Status&)> done) {
  const std::shared_ptr<PermitWait> waiting = shared_.waiting_pods->get(pod.meta.uid);
  if (waiting == nullptr) {
    done({});
    return;
  }
  const std::vector<std::string> plugins = waiting->pendingPlugins();
  recordPoint(pod, "WaitOnPermit", Status(Code::kWait), plugins.empty() ? std::string() : plugins.front());
  waiting->wait([this, copy = pod, uid = pod.meta.uid, key = pod.key(), done = std::move(done)](const Status& outcome) {
    shared_.waiting_pods->remove(uid);
    recordPoint(copy, "WaitOnPermit", outcome);
    if (outcome.isSuccess() || outcome.isRejected()) {
      done(outcome);
      return;
    }
    const std::string error = outcome.message();
    logError("Failed waiting on permit for pod", error, key);
    done(Status::error("waiting on permit for pod: " + error).withPlugin(outcome.plugin()));
  });
}

Status Framework::runPreBindPreFlight(CycleState& state, const api::PodPtr& pod, const std::string& node) {
  PluginSet skip;
  bool any = false;
  for (Entry& entry : pre_bind_) {
    const Status status = entry.plugin->preBindPreFlight(state, pod, node);
    if (status.isError()) {
      const std::string error = status.message();
      logError("Plugin failed", error, pod->key());
      return Status::error(running("PreBindPreFlight", entry.name, error));
    }
    if (status.isSuccess()) {
      any = true;
    } else if (status.isSkip()) {
      skip.set(entry.index);
    } else {
      return Status::error("PreBindPreFlight " + entry.name + " returned \"" + std::string(codeName(status.code())) +
                           "\", which is unsupported. It is supposed to return Success, Skip, or Error status");
    }
  }
  state.skip_pre_bind = skip;
  return any ? Status() : Status(Code::kSkip);
}

// The PreBind plugins of one pod, one after the other; a plugin that waits is asked again later.
class Framework::PreBindRun : public std::enable_shared_from_this<PreBindRun> {
 public:
  PreBindRun(Framework& framework, std::shared_ptr<CycleState> state, api::PodPtr pod, std::string node,
             std::function<void(const Status&)> done)
      : framework_(framework),
        state_(std::move(state)),
        pod_(std::move(pod)),
        node_(std::move(node)),
        done_(std::move(done)) {}

  void go() {
    for (; next_ < framework_.pre_bind_.size(); ++next_) {
      Entry& entry = framework_.pre_bind_[next_];
      if (state_->skip_pre_bind[entry.index]) continue;
      const PreBindProgress progress = entry.plugin->preBind(*state_, pod_, node_);
      if (progress.resume.has_value()) {
        timer_ = framework_.loop().at(*progress.resume, [self = shared_from_this()] {
          self->timer_.reset();
          self->go();
        });
        return;
      }
      const Status& status = progress.status;
      if (status.isSuccess()) continue;
      if (status.isRejected() && framework_.rejectsEverywhere()) {
        finish(status.withPlugin(entry.name), entry.name);
        return;
      }
      fail(entry, status.message());
      return;
    }
    finish({}, {});
  }

  // Stops the plugin that waits, if one does.
  void cancel(const std::string& reason) {
    if (!timer_.has_value()) return;
    framework_.loop().cancel(*timer_);
    timer_ = framework_.loop().at(framework_.loop().now(), [self = shared_from_this(), reason] {
      self->timer_.reset();
      self->fail(self->framework_.pre_bind_[self->next_], reason);
    });
  }

 private:
  void fail(const Entry& entry, const std::string& error) {
    framework_.logError(framework_.failedText("PreBind plugin"), error, pod_->key());
    finish(Status::error(running("PreBind plugin", entry.name, error)), entry.name);
  }

  void finish(const Status& status, const std::string& plugin) {
    framework_.recordPoint(*pod_, "PreBind", status, plugin);
    const std::function<void(const Status&)> done = std::move(done_);
    done_ = nullptr;
    if (done) done(status);
  }

  Framework& framework_;
  std::shared_ptr<CycleState> state_;
  api::PodPtr pod_;
  std::string node_;
  std::function<void(const Status&)> done_;
  std::size_t next_ = 0;
  std::optional<clock::EventLoop::TimerId> timer_;
};

void Framework::runPreBind(const std::shared_ptr<CycleState>& state, const api::PodPtr& pod, const std::string& node,
                           bool cancelable, std::function<void(const Status&)> done) {
  auto run = std::make_shared<PreBindRun>(*this, state, pod, node, std::move(done));
  if (cancelable) {
    const std::weak_ptr<PreBindRun> weak = run;
    shared_.pods_in_pre_bind->add(pod->meta.uid, [weak](const std::string& reason) {
      if (const std::shared_ptr<PreBindRun> live = weak.lock()) live->cancel(reason);
    });
  }
  run->go();
}

void Framework::runBind(const std::shared_ptr<CycleState>& state, const api::PodPtr& pod, const std::string& node,
                        std::function<void(const Status&)> done) {
  bindWith(0, state, pod, node, std::move(done));
}

void Framework::bindWith(std::size_t next, const std::shared_ptr<CycleState>& state, const api::PodPtr& pod,
                         const std::string& node, std::function<void(const Status&)> done) {
  if (next == bind_.size()) {
    done(Status(Code::kSkip));
    return;
  }
  bind_[next].plugin->bind(
      *state, pod, node, [this, next, state, pod, node, done = std::move(done)](const Status& status) mutable {
        const Entry& entry = bind_[next];
        if (status.isSkip()) {
          bindWith(next + 1, state, pod, node, std::move(done));
          return;
        }
        Status out = status;
        if (status.isRejected() && rejectsEverywhere()) {
          out = status.withPlugin(entry.name);
        } else if (!status.isSuccess()) {
          const std::string error = status.message();
          logError(rejectsEverywhere() ? "Plugin Failed" : failedText("Bind plugin"), error, pod->key());
          out = Status::error(running("Bind plugin", entry.name, error));
        }
        recordPoint(*pod, "Bind", out, entry.name);
        done(out);
      });
}

void Framework::runPostBind(CycleState& state, const api::PodPtr& pod, const std::string& node) {
  for (Entry& entry : post_bind_) entry.plugin->postBind(state, pod, node);
  recordPoint(*pod, "PostBind", {});
}

}  // namespace podberth::scheduler

#include "core/scheduler/framework/waiting_pods.h"

namespace podberth::scheduler {
namespace {

// `value` units of which `per` make the next greater one, with a fraction but without trailing zeros.
std::string withFraction(std::int64_t value, std::int64_t per) {
  std::string out = std::to_string(value / per);
  std::int64_t rest = value % per;
  if (rest == 0) return out;
  out += '.';
  for (std::int64_t digit = per / 10; rest > 0 && digit > 0; digit /= 10) {
    out += static_cast<char>('0' + rest / digit);
    rest %= digit;
  }
  return out;
}

}  // namespace

std::string goDuration(clock::Duration d) {
  if (d == 0) return "0s";
  std::string out;
  if (d < 0) {
    out = "-";
    d = -d;
  }
  if (d < clock::kMicrosecond) return out + std::to_string(d) + "ns";
  if (d < clock::kMillisecond) return out + withFraction(d, clock::kMicrosecond) + "µs";
  if (d < clock::kSecond) return out + withFraction(d, clock::kMillisecond) + "ms";
  const std::int64_t minutes = d / clock::kMinute;
  if (minutes >= 60) out += std::to_string(minutes / 60) + "h";
  if (minutes > 0) out += std::to_string(minutes % 60) + "m";
  return out + withFraction(d % clock::kMinute, clock::kSecond) + "s";
}

void PermitWait::start(const std::map<std::string, clock::Duration>& waits) {
  const std::weak_ptr<PermitWait> self = weak_from_this();
  for (const auto& [plugin, duration] : waits) {
    const std::string message =
        "rejected due to timeout after waiting " + goDuration(duration) + " at plugin " + plugin;
    pending_[plugin] = loop_.after(duration, [self, name = plugin, message] {
      if (const std::shared_ptr<PermitWait> pod = self.lock()) pod->reject(name, message);
    });
  }
}

std::vector<std::string> PermitWait::pendingPlugins() const {
  std::vector<std::string> out;
  for (const auto& [plugin, timer] : pending_) out.push_back(plugin);
  return out;
}

void PermitWait::allow(std::string_view plugin) {
  const auto it = pending_.find(std::string(plugin));
  if (it != pending_.end()) {
    loop_.cancel(it->second);
    pending_.erase(it);
  }
  if (!pending_.empty()) return;
  send(Status());
  done_ = true;
}

bool PermitWait::reject(std::string_view plugin, const std::string& message) {
  return stop(Code::kUnschedulable, plugin, message);
}

bool PermitWait::preempt(std::string_view plugin, const std::string& message) {
  return stop(Code::kError, plugin, message);
}

bool PermitWait::stop(Code code, std::string_view plugin, const std::string& message) {
  for (const auto& [name, timer] : pending_) loop_.cancel(timer);
  send(Status(code, message).withPlugin(plugin));
  if (done_) return false;
  done_ = true;
  return true;
}

void PermitWait::send(Status status) {
  if (outcome_.has_value()) return;
  outcome_ = std::move(status);
  if (!waiter_) return;
  loop_.at(loop_.now(), [waiter = std::move(waiter_), outcome = *outcome_] { waiter(outcome); });
  waiter_ = nullptr;
}

void PermitWait::wait(std::function<void(const Status&)> done) {
  if (outcome_.has_value()) {
    done(*outcome_);
  } else {
    waiter_ = std::move(done);
  }
}

void WaitingPods::add(clock::EventLoop& loop, const api::PodPtr& pod,
                      const std::map<std::string, clock::Duration>& waits) {
  auto waiting = std::make_shared<PermitWait>(loop, pod);
  waiting->start(waits);
  pods_[pod->meta.uid] = std::move(waiting);
}

std::shared_ptr<PermitWait> WaitingPods::get(const std::string& uid) const {
  const auto it = pods_.find(uid);
  return it == pods_.end() ? nullptr : it->second;
}

void PodsInPreBind::add(const std::string& uid, Cancel cancel) {
  Pod pod;
  pod.cancel = std::move(cancel);
  pods_[uid] = std::move(pod);
}

bool PodsInPreBind::cancel(const std::string& uid, const std::string& reason) {
  const auto it = pods_.find(uid);
  if (it == pods_.end() || it->second.finished) return false;
  if (!it->second.canceled) {
    it->second.canceled = true;
    it->second.reason = reason;
    if (it->second.cancel) it->second.cancel(reason);
  }
  return true;
}

bool PodsInPreBind::markPrebound(const std::string& uid, std::string* reason) {
  const auto it = pods_.find(uid);
  if (it == pods_.end()) return true;
  if (it->second.canceled) {
    *reason = it->second.reason;
    return false;
  }
  it->second.finished = true;
  return true;
}

}  // namespace podberth::scheduler

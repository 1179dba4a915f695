#include "core/scheduler/framework/status.h"

#include <utility>

#include "core/scheduler/framework/plugin.h"

namespace podberth::scheduler {

std::string_view codeName(Code code) {
  switch (code) {
    case Code::kSuccess:
      return "Success";
    case Code::kError:
      return "Error";
    case Code::kUnschedulable:
      return "Unschedulable";
    case Code::kUnschedulableAndUnresolvable:
      return "UnschedulableAndUnresolvable";
    case Code::kWait:
      return "Wait";
    case Code::kSkip:
      return "Skip";
    case Code::kPending:
      return "Pending";
  }
  return "";
}

Status::Status(Code code, std::vector<std::string> reasons) {
  if (code == Code::kSuccess && reasons.empty()) return;
  auto data = std::make_shared<Data>();
  data->code = code;
  data->reasons = std::move(reasons);
  data_ = std::move(data);
}

Status::Status(Code code, std::string reason) : Status(code, std::vector<std::string>(1, std::move(reason))) {}

Status::Status(Code code) : Status(code, std::vector<std::string>()) {}

Status Status::error(std::string message) { return Status(Code::kError, std::move(message)); }

Status Status::fitError(Code code, std::shared_ptr<const FitError> error) {
  auto data = std::make_shared<Data>();
  data->code = code;
  data->fit_error = std::move(error);
  return Status(std::move(data));
}

bool Status::isRejected() const {
  const Code c = code();
  return c == Code::kUnschedulable || c == Code::kUnschedulableAndUnresolvable || c == Code::kPending;
}

const std::string& Status::plugin() const {
  static const std::string empty;
  return data_ == nullptr ? empty : data_->plugin;
}

const std::vector<std::string>& Status::reasons() const {
  static const std::vector<std::string> none;
  if (data_ == nullptr) return none;
  if (data_->fit_error != nullptr && !data_->has_error_text) {
    data_->reasons.insert(data_->reasons.begin(), data_->fit_error->message());
    data_->has_error_text = true;
  }
  return data_->reasons;
}

std::string Status::message() const {
  const std::vector<std::string>& all = reasons();
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) out += ", ";
    out += all[i];
  }
  return out;
}

const std::shared_ptr<const FitError>& Status::fitError() const {
  static const std::shared_ptr<const FitError> none;
  return data_ == nullptr ? none : data_->fit_error;
}

Status Status::withPlugin(std::string_view plugin) const {
  if (data_ == nullptr || data_->plugin == plugin) return *this;
  auto data = std::make_shared<Data>(*data_);
  data->plugin = std::string(plugin);
  return Status(std::move(data));
}

void Status::appendReason(std::string reason) {
  auto data = data_ == nullptr ? std::make_shared<Data>() : std::make_shared<Data>(*data_);
  data->reasons.push_back(std::move(reason));
  data_ = std::move(data);
}

}  // namespace podberth::scheduler

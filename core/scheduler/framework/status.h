// The result of a plugin. Upstream: k8s.io/kube-scheduler/framework/interface.go (Status, Code).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace podberth::scheduler {

enum class Code { kSuccess, kError, kUnschedulable, kUnschedulableAndUnresolvable, kWait, kSkip, kPending };
// "Success", "Error", ...
std::string_view codeName(Code code);

struct FitError;

// Cheap to copy and to return; success allocates nothing. Plugins that fail with the same reasons again and again keep
// one Status and return copies of it.
class [[nodiscard]] Status {
 public:
  Status() = default;  // success
  Status(Code code, std::vector<std::string> reasons);
  Status(Code code, std::string reason);
  explicit Status(Code code);
  static Status error(std::string message);  // fwk.AsStatus(err)
  // A rejection that carries why no node fits; its only reason is the error's text, made when asked for.
  static Status fitError(Code code, std::shared_ptr<const FitError> error);

  Code code() const { return data_ == nullptr ? Code::kSuccess : data_->code; }
  bool isSuccess() const { return data_ == nullptr || data_->code == Code::kSuccess; }
  bool isWait() const { return code() == Code::kWait; }
  bool isSkip() const { return code() == Code::kSkip; }
  bool isError() const { return code() == Code::kError; }
  // Unschedulable, UnschedulableAndUnresolvable or Pending.
  bool isRejected() const;

  const std::string& plugin() const;  // who said so; "" if nobody yet
  const std::vector<std::string>& reasons() const;
  // The reasons, joined by ", ".
  std::string message() const;
  const std::shared_ptr<const FitError>& fitError() const;

  Status withPlugin(std::string_view plugin) const;  // the same status if it is so already
  void appendReason(std::string reason);
  // Whether both are copies of one status.
  bool sharedWith(const Status& other) const { return data_ == other.data_; }

 private:
  struct Data {
    Code code = Code::kSuccess;
    mutable std::vector<std::string> reasons;
    mutable bool has_error_text = false;  // reasons begins with the text of fit_error
    std::string plugin;
    std::shared_ptr<const FitError> fit_error;
  };
  explicit Status(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace podberth::scheduler

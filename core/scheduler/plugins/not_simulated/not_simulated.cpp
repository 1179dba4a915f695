#include "core/scheduler/plugins/not_simulated/not_simulated.h"

namespace podberth::scheduler::plugins {
namespace {

class Dormant : public Plugin {
 public:
  Dormant(std::string_view name, Points points) : name_(name), points_(points) {}
  std::string_view name() const override { return name_; }
  Points points() const override { return points_; }
  bool hasEvents() const override { return true; }
  Status preFilter(CycleState&, const PodInfo&, const std::vector<NodeInfo*>&, PreFilterResult&) override {
    return Status(Code::kSkip);
  }

 private:
  std::string_view name_;
  Points points_;
};

}  // namespace

std::unique_ptr<Plugin> makeNotSimulated(std::string_view name, Points points, std::string_view gate, Handle& handle,
                                         std::string* error) {
  if (!handle.gates().enabled(gate)) return std::make_unique<Dormant>(name, points);
  *error = "this plugin is not simulated yet";
  return nullptr;
}

}  // namespace podberth::scheduler::plugins

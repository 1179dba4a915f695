#include "core/release/release.h"

namespace podberth::release {
namespace {

constexpr Release kV1_37 = {
    "v1.37",
    "v1.37.2",
    QueuePolicy::kQueueingHints,
    TiePolicy::kNodeOrder,
    PreemptionPolicy::kInBackground,
    CachePolicy::kReplace,
    FrameworkRules::kV1_37,
    CycleRules::kV1_37,
    PluginSet::kV1_37,
    ConfigRules::kV1_37,
    AdmissionRules::kV1_37,
    VolumeWrites::kAtOnce,
    RefusalForm::kOnce,
    &kGatesV1_37,
};

constexpr Release kV1_24 = {
    "v1.24",
    "v1.24.17",
    QueuePolicy::kMoveRequestCycle,
    TiePolicy::kLots,
    PreemptionPolicy::kInTheCycle,
    CachePolicy::kKeep,
    FrameworkRules::kV1_24,
    CycleRules::kV1_24,
    PluginSet::kV1_24,
    ConfigRules::kV1_24,
    AdmissionRules::kV1_24,
    VolumeWrites::kTakeTime,
    RefusalForm::kTwice,
    &kGatesV1_24,
};

}  // namespace

const std::vector<const Release*>& all() {
  static const std::vector<const Release*> releases = {&kV1_37, &kV1_24};
  return releases;
}

const Release& newest() { return *all().front(); }
const Release& v1_37() { return kV1_37; }
const Release& v1_24() { return kV1_24; }

const Release* find(std::string_view text) {
  if (text.empty()) return &newest();
  for (const Release* release : all()) {
    if (text == release->name || text == release->version) return release;
  }
  return nullptr;
}

std::string versions() {
  std::string out;
  for (const Release* release : all()) {
    if (!out.empty()) out += ", ";
    out += release->version;
  }
  return out;
}

}  // namespace podberth::release

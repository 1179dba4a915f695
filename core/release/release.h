// The releases of kube-scheduler that can be simulated, and what each of them does its own way. A difference between
// releases is a policy with a name here; the one room that carries it out asks for the policy and for nothing else.
// ARCHITECTURE.md says how to add a release.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/release/gate_table.h"

namespace podberth::release {

// What brings pods back that did not fit, and how they wait.
enum class QueuePolicy {
  kQueueingHints,     // plugins are asked about each event; backoffs end in windows, and pods may be popped from them
  kMoveRequestCycle,  // a map of events and plugins; moves during a pod's cycle are remembered by its number
};

// Which of the nodes with the most points is taken.
enum class TiePolicy {
  kNodeOrder,  // the first in the scores' own order
  kLots,       // drawn: reservoir sampling over the scores in their order
};

// How preemption makes room.
enum class PreemptionPolicy {
  kInBackground,  // victims are evicted by a task of their own, while the preemptor is held back
  kInTheCycle,    // evictions are part of the scheduling cycle; candidates equal in all else are drawn
};

// What the cache does with an assumed pod that is heard of as bound, and when it counts the nodes that have an image.
enum class CachePolicy {
  kReplace,  // the pod that was heard of takes its place; images are counted for each snapshot
  kKeep,     // it stays as it was assumed until the next update, or expires if it is never heard of; images are counted
             // when a node is heard of; copies of what is known of a node share its counts of claims
};

// How the framework runs plugins: skipping, node sets, which statuses count as a rejection, and its errors' texts.
enum class FrameworkRules { kV1_37, kV1_24 };
// The scheduling and the binding cycle, the event handlers and the failure handler.
enum class CycleRules { kV1_37, kV1_24 };
// The registry, the default plugins and their versions.
enum class PluginSet { kV1_37, kV1_24 };
// Which versions of KubeSchedulerConfiguration there are, their defaults and their validation.
enum class ConfigRules { kV1_37, kV1_24 };
// Defaults and validation of the API server, and what it checks of a binding.
enum class AdmissionRules { kV1_37, kV1_24 };

// Whether writes to volumes and claims take time, as those to pods do.
enum class VolumeWrites { kAtOnce, kTakeTime };

// How the real scheduler's trace tells of an operation that is admitted and then refused by the store.
enum class RefusalForm {
  kOnce,
  kTwice,  // as it is sent, and as it is refused
};

struct Release {
  std::string_view name;     // "v1.24"
  std::string_view version;  // "v1.24.17"
  QueuePolicy queue;
  TiePolicy ties;
  PreemptionPolicy preemption;
  CachePolicy cache;
  FrameworkRules framework;
  CycleRules cycles;
  PluginSet plugins;
  ConfigRules config;
  AdmissionRules admission;
  VolumeWrites volume_writes;
  RefusalForm refusals;
  const GateTable* gates;
};

// Newest first.
const std::vector<const Release*>& all();
// The newest: what a scenario that names no release runs.
const Release& newest();
const Release& v1_37();
const Release& v1_24();
// By name or version; "" is the newest. Null if there is no such release.
const Release* find(std::string_view text);
// "v1.37.2, v1.24.17"
std::string versions();

}  // namespace podberth::release

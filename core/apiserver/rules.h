// What the API server of each release does its own way to the objects that it is given. What differs between releases
// is named here, and nowhere else in this room; fields that came later are core/api/schema_release.h's. Upstream:
// pkg/apis/core/validation, pkg/api/pod, k8s.io/apimachinery/pkg/api/validation.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/api/field_error.h"
#include "core/api/wording.h"
#include "core/release/release.h"

namespace podberth::apiserver {

// Who completes objects on creation and decides what of an update is taken.
enum class WriteRules {
  kStrategies,  // the registry's: a new pod's status is reset, an update keeps what a client may not change
  // Defaults and the validation of a creation only, before updates too: an object replaces its predecessor as it is
  // given, but for a pod's node and status. The traces of v1.24 are made so.
  kValidationOnly,
};

// In which order, and with which duplicates, the parts of a container are checked.
enum class ContainerOrder { kProbesLast, kProbesFirst };

struct Rules {
  const api::Wording* wording;
  WriteRules writes;
  bool generates_names;  // of metadata.generateName

  ContainerOrder containers;
  bool
      host_ports_by_container_port;  // which of the two is wrong on the host's network; checked with the pod's security
  bool names_limits;                 // "limit of 1"
  bool relaxed_env_names;            // any printable ASCII but "="
  bool host_ips;                     // status.hostIPs may be referred to
  bool lists_message_policies;
  bool selector_values;    // the values of expressions are checked, and spread constraints' selectors at all
  bool toleration_values;  // a value that may not be is shown alone, not the whole toleration
  bool comparing_tolerations_are_named;  // among the operators there are
  bool strict_ips;                       // for fields of IPs; places of host aliases are told by index
  bool search_underscores;               // in dnsConfig.searches; "." alone is one
  std::size_t max_searches;              // unless the gate ExpandedDNSConfig is on
  std::size_t max_search_characters;
  bool share_process_in_spec;  // where shareProcessNamespace is said to be
  bool sysctl_slashes;         // in names; and those of the host's namespaces are refused
  bool driver_needs_name;      // an empty driver is told once, not also that it is no name
  std::string_view one_projection;
  bool local_tokens;          // the paths of projected tokens are checked
  bool subscripts_lowered;    // of annotations, in what is shown
  std::string_view empty_os;  // what is said of an os without a name
  // What is said of a data source of the default group that is no claim; and whether other groups' names are checked.
  std::string_view default_source;
  bool source_groups;
  std::string_view no_metadata;  // of claim templates, but for labels and annotations
  bool owners_by_index;          // and "Required value"
  bool lists_operations;         // of managed fields
  bool once_pod_gate;            // ReadWriteOncePod needs its gate
  bool grace_period;             // has to be there and not negative
  bool older_gates;              // minDomains and procMount need theirs
  bool windows_by_field;         // what a pod for Windows may not have is told in the order of the fields
};

const Rules& rulesOf(release::AdmissionRules rules);

// The errors of validation, with the rules that the validation goes by.
class ErrorList : public api::field::ErrorList {
 public:
  ErrorList() : ErrorList(rulesOf(release::AdmissionRules::kV1_37)) {}
  explicit ErrorList(const Rules& rules) : api::field::ErrorList(*rules.wording), rules_(&rules) {}
  const Rules& rules() const { return *rules_; }

 private:
  const Rules* rules_;
};

}  // namespace podberth::apiserver

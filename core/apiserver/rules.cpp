#include "core/apiserver/rules.h"

namespace podberth::apiserver {
namespace {

Rules v1_37() {
  Rules rules;
  rules.wording = &api::kWording;
  rules.writes = WriteRules::kStrategies;
  rules.generates_names = true;
  rules.containers = ContainerOrder::kProbesLast;
  rules.host_ports_by_container_port = false;
  rules.names_limits = true;
  rules.relaxed_env_names = true;
  rules.host_ips = true;
  rules.lists_message_policies = true;
  rules.selector_values = true;
  rules.toleration_values = true;
  rules.comparing_tolerations_are_named = true;
  rules.strict_ips = true;
  rules.search_underscores = true;
  rules.max_searches = 32;
  rules.max_search_characters = 2048;
  rules.share_process_in_spec = true;
  rules.sysctl_slashes = true;
  rules.driver_needs_name = true;
  rules.one_projection = "may not specify more than 1 volume type per source";
  rules.local_tokens = true;
  rules.subscripts_lowered = true;
  rules.empty_os = "";
  rules.default_source = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  rules.source_groups = true;
  rules.no_metadata = "cannot be set";
  rules.owners_by_index = true;
  rules.lists_operations = true;
  rules.once_pod_gate = false;
  rules.grace_period = true;
  rules.older_gates = false;
  rules.windows_by_field = false;
  return rules;
}

Rules v1_24() {
  Rules rules;
  rules.wording = &api::kWordingV1_24;
  rules.writes = WriteRules::kValidationOnly;
  rules.generates_names = false;
  rules.containers = ContainerOrder::kProbesFirst;
  rules.host_ports_by_container_port = true;
  rules.names_limits = false;
  rules.relaxed_env_names = false;
  rules.host_ips = false;
  rules.lists_message_policies = false;
  rules.selector_values = false;
  rules.toleration_values = false;
  rules.comparing_tolerations_are_named = false;
  rules.strict_ips = false;
  rules.search_underscores = false;
  rules.max_searches = 6;
  rules.max_search_characters = 256;
  rules.share_process_in_spec = false;
  rules.sysctl_slashes = false;
  rules.driver_needs_name = false;
  rules.one_projection = "may not specify more than 1 volume type";
  rules.local_tokens = false;
  rules.subscripts_lowered = false;
  rules.empty_os = "cannot be empty";
  rules.default_source = "";
  rules.source_groups = false;
  rules.no_metadata = "cannot be set for an ephemeral volume";
  rules.owners_by_index = false;
  rules.lists_operations = false;
  rules.once_pod_gate = true;
  rules.grace_period = false;
  rules.older_gates = true;
  rules.windows_by_field = true;
  return rules;
}

}  // namespace

const Rules& rulesOf(release::AdmissionRules rules) {
  static const Rules newest = v1_37();
  static const Rules older = v1_24();
  switch (rules) {
    case release::AdmissionRules::kV1_24:
      return older;
    case release::AdmissionRules::kV1_37:
      break;
  }
  return newest;
}

}  // namespace podberth::apiserver

// What kube-scheduler v1.24.17 says to a configuration, word for word. Pointers and bytes are printed as 0x0.
#include <gtest/gtest.h>

#include "core/release/release.h"
#include "core/scheduler/config/rules.h"
#include "tests/unit/config/errors.h"

namespace podberth::scheduler::config {
namespace {

struct ReleaseCase {
  const char* name;
  const char* config;
  const char* error;
};

// Where the plugins of that release work.
std::optional<Points> olderPoints(std::string_view name) {
  constexpr Points limits = static_cast<Points>(Point::kFilter);
  if (name == "EBSLimits" || name == "GCEPDLimits" || name == "AzureDiskLimits" || name == "CinderLimits" ||
      name == "NodeName" || name == "NodeUnschedulable" || name == "TaintToleration") {
    return name == "TaintToleration" ? limits | Point::kPreScore | Point::kScore : limits;
  }
  if (name == "SelectorSpread") return Point::kPreScore | Point::kScore;
  if (name == "SchedulingGates" || name == "DynamicResources" || name == "NodeDeclaredFeatures") return std::nullopt;
  if (name == "DefaultPreemption") return static_cast<Points>(Point::kPostFilter);
  return inTreePoints(name);
}

Loaded loadOlder(const char* config) { return load(config, FeatureGates(release::v1_24())); }

const ReleaseCase kValidated[] =
    {
        {"a document without a kind, of v1, which is shown as v1beta3",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1"})json",
         R"json(Object 'Kind' is missing in '{"apiVersion":"kubescheduler.config.k8s.io/v1beta3"}')json"},
        {"a configuration of another group", R"json({"apiVersion":"v1","kind":"KubeSchedulerConfiguration"})json",
         R"json(no kind "KubeSchedulerConfiguration" is registered for version "v1" in scheme "pkg/runtime/scheme.go:100")json"},
        {"a version that is no more",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta1", "kind": "KubeSchedulerConfiguration"})json",
         R"json(no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v1beta1" in scheme "pkg/runtime/scheme.go:100")json"},
        {"a version there never was",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v2", "kind": "KubeSchedulerConfiguration"})json",
         R"json(no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v2" in scheme "pkg/runtime/scheme.go:100")json"},
        {"unknown fields in the order of the document",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","zeta":1,"alpha":2})json",
         R"json(strict decoding error: unknown field "zeta", unknown field "alpha")json"},
        {"a percentage of a profile came later",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta3", "kind": "KubeSchedulerConfiguration", "profiles": [{"percentageOfNodesToScore": 5}]})json",
         R"json(strict decoding error: unknown field "profiles[0].percentageOfNodesToScore")json"},
        {"so did preEnqueue",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta3", "kind": "KubeSchedulerConfiguration", "profiles": [{"plugins": {"preEnqueue": {}}}]})json",
         R"json(strict decoding error: unknown field "profiles[0].plugins.preEnqueue")json"},
        {"and delayCacheUntilActive",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta3", "kind": "KubeSchedulerConfiguration", "delayCacheUntilActive": true})json",
         R"json(strict decoding error: unknown field "delayCacheUntilActive")json"},
        {"and this argument of InterPodAffinity",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta3", "kind": "KubeSchedulerConfiguration", "profiles": [{"pluginConfig": [{"name": "InterPodAffinity", "args": {"ignorePreferredTermsOfExistingPods": true}}]}]})json",
         R"json(strict decoding error: decoding .profiles[0].pluginConfig[0]: strict decoding error: decoding args for plugin InterPodAffinity: strict decoding error: unknown field "ignorePreferredTermsOfExistingPods")json"},
        {"and the policies of spread constraints",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta3", "kind": "KubeSchedulerConfiguration", "profiles": [{"pluginConfig": [{"name": "PodTopologySpread", "args": {"defaultingType": "List", "defaultConstraints": [{"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "ScheduleAnyway", "nodeAffinityPolicy": "Honor"}]}}]}]})json",
         R"json(strict decoding error: decoding .profiles[0].pluginConfig[0]: strict decoding error: decoding args for plugin PodTopologySpread: strict decoding error: unknown field "defaultConstraints[0].nodeAffinityPolicy")json"},
        {"addresses went with v1beta2",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta3", "kind": "KubeSchedulerConfiguration", "healthzBindAddress": ""})json",
         R"json(strict decoding error: unknown field "healthzBindAddress")json"},
        {"addresses of v1beta2 may not have a port",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "healthzBindAddress": "0.0.0.0:10251", "metricsBindAddress": "0.0.0.0:10251"})json",
         R"json(healthzBindAddress: Invalid value: "0.0.0.0:10251": must be empty or with an explicit 0 port, metricsBindAddress: Invalid value: "0.0.0.0:10251": must be empty or with an explicit 0 port)json"},
        {"an address without a port",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "healthzBindAddress": "x", "metricsBindAddress": "x"})json",
         R"json(healthzBindAddress: Invalid value: "x": address x: missing port in address, metricsBindAddress: Invalid value: "x": address x: missing port in address)json"},
        {"an address that is a name",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "healthzBindAddress": "localhost:0", "metricsBindAddress": "localhost:0"})json",
         R"json(healthzBindAddress: Invalid value: "localhost:0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), metricsBindAddress: Invalid value: "localhost:0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff))json"},
        {"an address whose port is no number",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "healthzBindAddress": "a:b", "metricsBindAddress": "a:b"})json",
         R"json(healthzBindAddress: Invalid value: "a:b": strconv.Atoi: parsing "b": invalid syntax, metricsBindAddress: Invalid value: "a:b": strconv.Atoi: parsing "b": invalid syntax)json"},
        {"an address whose port is too large", R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "healthzBindAddress": "1.2.3.4:99999999999999999999", "metricsBindAddress": "1.2.3.4:99999999999999999999"})json", R"json(healthzBindAddress: Invalid value: "1.2.3.4:99999999999999999999": strconv.Atoi: parsing "99999999999999999999": value out of range, metricsBindAddress: Invalid value: "1.2.3.4:99999999999999999999": strconv.Atoi: parsing "99999999999999999999": value out of range)json"},
        {"an address with a bracket too many",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "healthzBindAddress": "a]:0", "metricsBindAddress": "a]:0"})json",
         R"json(healthzBindAddress: Invalid value: "a]:0": address a]:0: unexpected ']' in address, metricsBindAddress: Invalid value: "a]:0": address a]:0: unexpected ']' in address)json"},
        {"types are named by their version",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":{}})json",
         R"json(json: cannot unmarshal object into Go struct field KubeSchedulerConfiguration.profiles of type []v1beta3.KubeSchedulerProfile)json"},
        {"inlined structs are not named",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","enableProfiling":"x"})json",
         R"json(json: cannot unmarshal string into Go struct field KubeSchedulerConfiguration.enableProfiling of type bool)json"},
        {"arguments of another version cannot be converted",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": [{"pluginConfig": [{"name": "NodeAffinity", "args": {"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "NodeAffinityArgs"}}]}]})json",
         R"json(converting .Profiles[0].PluginConfig[0].Args into internal type: no kind is registered for the type v1beta2.NodeAffinityArgs in scheme "pkg/runtime/scheme.go:100")json"},
        {"not even of the newer one",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "profiles": [{"pluginConfig": [{"name": "NodeAffinity", "args": {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "NodeAffinityArgs"}}]}]})json",
         R"json(converting .Profiles[0].PluginConfig[0].Args into internal type: no kind is registered for the type v1beta3.NodeAffinityArgs in scheme "pkg/runtime/scheme.go:100")json"},
        {"arguments of another kind",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[{"name":"NodeAffinity","args":{"kind":"InterPodAffinityArgs","zzz":1}}]}]})json",
         R"json(decoding .profiles[0].pluginConfig[0]: args for plugin NodeAffinity were not of type NodeAffinityArgs.kubescheduler.config.k8s.io, got InterPodAffinityArgs.kubescheduler.config.k8s.io)json"},
        {"a shape that its gate does not allow, as Go source",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[{"name":"VolumeBinding","args":{"shape":[]}}]}]})json",
         R"json(profiles[0].pluginConfig[0].args.shape: Invalid value: []config.UtilizationShapePoint{}: unexpected field `shape`, remove it or turn on the feature gate VolumeCapacityPriority)json"},
        {"a path as Go source",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{},{}]})json",
         R"json(profiles[0].schedulerName: Required value, profiles[1].schedulerName: Required value, profiles[1].schedulerName: Duplicate value: field.Path{name:"schedulerName", index:"", parent:(*field.Path)(0x0)})json"},
        {"a qualified name",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[{"name":"PodTopologySpread","args":{"defaultingType":"List","defaultConstraints":[{"maxSkew":1,"topologyKey":"a b","whenUnsatisfiable":"ScheduleAnyway"},{"maxSkew":1,"topologyKey":"a/b/c","whenUnsatisfiable":"ScheduleAnyway"},{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":""},{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":"<x>"}]}}]}]})json",
         R"json(profiles[0].pluginConfig[0].args.defaultConstraints[0].topologyKey: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), profiles[0].pluginConfig[0].args.defaultConstraints[1].topologyKey: Invalid value: "a/b/c": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName'), profiles[0].pluginConfig[0].args.defaultConstraints[2].whenUnsatisfiable: Required value: can not be empty, profiles[0].pluginConfig[0].args.defaultConstraints[3].whenUnsatisfiable: Unsupported value: "<x>": supported values: "DoNotSchedule", "ScheduleAnyway")json"},
        {"operators that are not listed",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[{"name":"NodeAffinity","args":{"addedAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"Foo"},{"key":"a","operator":""}]},{},{"matchExpressions":[{"key":"a","operator":"in"}]}]}}}}]}]})json", R"json(profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: "Foo", profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[1].operator: Unsupported value: "", profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[2].matchExpressions[0].operator: Unsupported value: "in")json"},
        {"lists of values as Go source",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[{"name":"NodeAffinity","args":{"addedAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"In"},{"key":"a","operator":"In","values":[]},{"key":"a","operator":"NotIn","values":["a b"]},{"key":"a","operator":"Exists","values":["a"]},{"key":"a","operator":"Gt","values":["1","x"]},{"key":"a","operator":"Lt"},{"key":"a","operator":"Gt","values":["9223372036854775808"]},{"key":"a","operator":"Gt","values":["-9223372036854775808"]},{"key":"a","operator":"Lt","values":["+5"]}]}]}}}}]}]})json",
         R"json(profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: []string(nil): for 'in', 'notin' operators, values set can't be empty, profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[1].values: Invalid value: []string{}: for 'in', 'notin' operators, values set can't be empty, profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[2].values[0][a]: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[3].values: Invalid value: []string{"a"}: values set must be empty for exists and does not exist, profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[4].values: Invalid value: []string{"1", "x"}: for 'Gt', 'Lt' operators, exactly one value is required, profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[4].values[1]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer, profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[5].values: Invalid value: []string(nil): for 'Gt', 'Lt' operators, exactly one value is required, profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[6].values[0]: Invalid value: "9223372036854775808": for 'Gt', 'Lt' operators, the value must be an integer, profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[7].values[0][a]: Invalid value: "-9223372036854775808": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), profiles[0].pluginConfig[0].args.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[8].values[0][a]: Invalid value: "+5": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'))json"},
        {"names of resources as they are",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","extenders":[{"managedResources":[{"name":"cpu"},{"name":"a b"},{"name":""},{"name":"example.com/x"},{"name":"example.com/x"},{"name":"kubernetes.io/x"},{"name":"requests.foo/x"},{"name":"a/b/c"},{"name":"<"}]},{"managedResources":[{"name":"example.com/x"}]}]})json", R"json(extenders[0].managedResources[0].name: Invalid value: "cpu": is an invalid extended resource name, extenders[0].managedResources[1].name: Invalid value: a b: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), extenders[0].managedResources[2].name: Invalid value: : name part must be non-empty, extenders[0].managedResources[2].name: Invalid value: : name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), extenders[0].managedResources[4].name: Invalid value: "example.com/x": duplicate extender managed resource name, extenders[0].managedResources[5].name: Invalid value: "kubernetes.io/x": is an invalid extended resource name, extenders[0].managedResources[6].name: Invalid value: "requests.foo/x": is an invalid extended resource name, extenders[0].managedResources[7].name: Invalid value: a/b/c: a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName'), extenders[0].managedResources[8].name: Invalid value: <: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), extenders[1].managedResources[0].name: Invalid value: "example.com/x": duplicate extender managed resource name)json"},
        {"queue sorts that differ, as Go source",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"schedulerName":"a"},{"schedulerName":"b","plugins":{"queueSort":{"enabled":[{"name":"Other"}],"disabled":[{"name":"*"}]}}}]})json",
         R"json(profiles[1].plugins.queueSort: Invalid value: config.PluginSet{Enabled:[]config.Plugin{config.Plugin{Name:"Other", Weight:0}}, Disabled:[]config.Plugin{config.Plugin{Name:"*", Weight:0}}}: has to match for all profiles)json"},
        {"v1beta2 forgets what was disabled",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1beta2","kind":"KubeSchedulerConfiguration","profiles":[{"schedulerName":"a"},{"schedulerName":"b","plugins":{"queueSort":{"enabled":[{"name":"Other"}],"disabled":[{"name":"*"}]}}}]})json",
         R"json(profiles[1].plugins.queueSort: Invalid value: config.PluginSet{Enabled:[]config.Plugin{config.Plugin{Name:"Other", Weight:0}}, Disabled:[]config.Plugin(nil)}: has to match for all profiles)json"},
        {"arguments of queue sorts that differ",
         R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"schedulerName":"a","plugins":{"queueSort":{"enabled":[{"name":"PrioritySort"}]}},"pluginConfig":[{"name":"PrioritySort","args":{"x":1}}]},{"schedulerName":"b","plugins":{"queueSort":{"enabled":[{"name":"PrioritySort"}]}},"pluginConfig":[{"name":"PrioritySort","args":{"x":"<"}}]}]})json",
         R"json(profiles[1].pluginConfig.args: Invalid value: runtime.Unknown{TypeMeta:runtime.TypeMeta{APIVersion:"", Kind:""}, Raw:[]uint8{0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0}, ContentEncoding:"", ContentType:"application/json"}: has to match for all profiles)json"},
        {"the length of arguments as they were written",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "profiles": [{"schedulerName": "a", "pluginConfig": [{"name": "PrioritySort", "args": {"x": 1}}]}, {"schedulerName": "b", "pluginConfig": [{"name": "PrioritySort", "args": {"x": 2}}]}]})json",
         R"json(profiles[1].pluginConfig.args: Invalid value: runtime.Unknown{TypeMeta:runtime.TypeMeta{APIVersion:"", Kind:""}, Raw:[]uint8{0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0}, ContentEncoding:"", ContentType:"application/json"}: has to match for all profiles)json"},
        {"missing arguments where there must be some",
         R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta3", "kind": "KubeSchedulerConfiguration", "profiles": [{"pluginConfig": [{"name": "NodeResourcesFitArgs", "args": null}]}]})json",
         R"json(profiles[0].pluginConfig[0].args: Invalid value: "null": has to match plugin args)json"},
};

const ReleaseCase
    kMade[] =
        {
            {"weights of a strategy that there is not",
             R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta3", "kind": "KubeSchedulerConfiguration", "profiles": [{"pluginConfig": [{"name": "NodeResourcesFit", "args": {"scoringStrategy": {"type": "Foo", "resources": [{"name": "cpu", "weight": 0}, {"name": "x y", "weight": 101}]}}}]}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: initializing plugin "NodeResourcesFit": resources[1].weight: Invalid value: 101: resource weight of x y not in valid range (0, 100])json"},
            {"a shape of a strategy that needs none",
             R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta3", "kind": "KubeSchedulerConfiguration", "profiles": [{"pluginConfig": [{"name": "NodeResourcesFit", "args": {"scoringStrategy": {"type": "Foo", "requestedToCapacityRatio": {"shape": [{"utilization": 50, "score": 5}, {"utilization": 50, "score": 11}, {"utilization": -1}]}}}}]}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: initializing plugin "NodeResourcesFit": [shape[1].utilization: Invalid value: 50: utilization values must be sorted in increasing order, shape[1].score: Invalid value: 11: not in valid range [0, 10], shape[2].utilization: Invalid value: -1: not in valid range [0, 100]])json"},
            {"a strategy that there is not",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":{"scoringStrategy":{"type":"Nope"}}}]}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: initializing plugin "NodeResourcesFit": scoring strategy Nope is not supported)json"},
            {"no strategy",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"pluginConfig":[{"name":"NodeResourcesFit","args":{"scoringStrategy":{"resources":[{"name":"cpu","weight":1}]}}}]}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: initializing plugin "NodeResourcesFit": scoring strategy  is not supported)json"},
            {"arguments of the queue sort that only one profile has",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"schedulerName":"a"},{"schedulerName":"b","pluginConfig":[{"name":"PrioritySort","args":{"x":1}}]}]})json",
             R"json(initializing profiles: different queue sort plugin args for profile "b")json"},
            {"a profile without a queue sort",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"schedulerName":"a"},{"schedulerName":"b","plugins":{"multiPoint":{"disabled":[{"name":"PrioritySort"}]}}}]})json",
             R"json(initializing profiles: creating profile for scheduler name b: one queue sort plugin required for profile with scheduler name "b")json"},
            {"a plugin that there is not",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"plugins":{"score":{"enabled":[{"name":"Nope"}]}}}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: ScorePlugin "Nope" does not exist)json"},
            {"a plugin that came later",
             R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "profiles": [{"plugins": {"score": {"enabled": [{"name": "SchedulingGates"}]}}}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: ScorePlugin "SchedulingGates" does not exist)json"},
            {"a plugin of former releases",
             R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "profiles": [{"plugins": {"filter": {"enabled": [{"name": "ServiceAffinity"}, {"name": "NodeLabel"}]}}}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: FilterPlugin "ServiceAffinity" does not exist)json"},
            {"a plugin that does not score",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"plugins":{"score":{"enabled":[{"name":"NodeName"}]}}}]})json", R"json(initializing profiles: creating profile for scheduler name default-scheduler: plugin "NodeName" does not extend ScorePlugin plugin)json"},
            {"negative weights",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"plugins":{"score":{"enabled":[{"name":"NodeAffinity","weight":-5}]}}}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: total score of Score plugins could overflow)json"},
            {"no queue sort comes before no binder",
             R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "profiles": [{"plugins": {"bind": {"disabled": [{"name": "*"}]}, "queueSort": {"disabled": [{"name": "*"}]}}}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: one queue sort plugin required for profile with scheduler name "default-scheduler")json"},
            {"and weights too",
             R"json({"apiVersion": "kubescheduler.config.k8s.io/v1beta2", "kind": "KubeSchedulerConfiguration", "profiles": [{"plugins": {"bind": {"disabled": [{"name": "*"}]}, "score": {"enabled": [{"name": "NodeAffinity", "weight": 2147483647}, {"name": "TaintToleration", "weight": -7}]}}}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: at least one bind plugin is needed)json"},
            {"a profile without a binder",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"plugins":{"multiPoint":{"disabled":[{"name":"DefaultBinder"}]}}}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: at least one bind plugin is needed)json"},
            {"multiPoint counts in v1beta3",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"Nope"}]}}}]})json",
             R"json(initializing profiles: creating profile for scheduler name default-scheduler: PreFilterPlugin "Nope" does not exist)json"},
            {"but not in v1beta2",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1beta2","kind":"KubeSchedulerConfiguration","profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"Nope"}]}}}]})json",
             R"json()json"},
            {"nor does what it disables",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1beta2","kind":"KubeSchedulerConfiguration","profiles":[{"plugins":{"multiPoint":{"disabled":[{"name":"*"}],"enabled":[{"name":"NodeName"}]}}}]})json",
             R"json()json"},
            {"volume limits are plugins of their own",
             R"json({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"plugins":{"filter":{"enabled":[{"name":"NodeName"},{"name":"AzureDiskLimits"},{"name":"CinderLimits"}]}}}]})json",
             R"json()json"},
};

TEST(V1_24, SaysWhatIsWrongInItsOwnWords) {
  for (const ReleaseCase& c : kValidated) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(loadOlder(c.config).error, c.error) << c.config;
  }
}

TEST(V1_24, MakesProfilesItsOwnWay) {
  for (const ReleaseCase& c : kMade) {
    SCOPED_TRACE(c.name);
    const Loaded loaded = loadOlder(c.config);
    ASSERT_EQ(loaded.error, "") << c.config;
    EXPECT_EQ(profilesError(loaded.config, olderPoints), c.error) << c.config;
  }
}

TEST(V1_24, ReadsV1AsV1beta3AndSaysSo) {
  const Loaded loaded =
      loadOlder(R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration"})");
  EXPECT_EQ(loaded.error, "");
  EXPECT_EQ(loaded.config.api_version, "kubescheduler.config.k8s.io/v1beta3");
  ASSERT_EQ(loaded.issues.size(), 1U);
  EXPECT_EQ(loaded.issues[0].severity, api::Issue::Severity::kInfo);
  EXPECT_EQ(loaded.issues[0].path, "/apiVersion");
  EXPECT_EQ(loaded.issues[0].message, "Kubernetes v1.24 has no kubescheduler.config.k8s.io/v1 yet: read as v1beta3");
  const Loaded own =
      loadOlder(R"({"apiVersion":"kubescheduler.config.k8s.io/v1beta2","kind":"KubeSchedulerConfiguration"})");
  EXPECT_EQ(own.config.api_version, "kubescheduler.config.k8s.io/v1beta2");
  EXPECT_TRUE(own.issues.empty());
}

TEST(V1_24, HasDefaultPluginsOfEachVersion) {
  struct {
    const char* config;
    std::vector<std::string> pre_score;
    std::string score;
  } cases[] = {
      {R"({"apiVersion":"kubescheduler.config.k8s.io/v1beta2","kind":"KubeSchedulerConfiguration"})",
       {"InterPodAffinity", "PodTopologySpread", "TaintToleration", "NodeAffinity"},
       "NodeResourcesBalancedAllocation=1 ImageLocality=1 InterPodAffinity=1 NodeResourcesFit=1 NodeAffinity=1 "
       "PodTopologySpread=2 TaintToleration=1"},
      {R"({"apiVersion":"kubescheduler.config.k8s.io/v1beta3","kind":"KubeSchedulerConfiguration"})",
       {"TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding", "PodTopologySpread", "InterPodAffinity",
        "NodeResourcesBalancedAllocation"},
       "TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 InterPodAffinity=2 "
       "NodeResourcesBalancedAllocation=1 ImageLocality=1"},
  };
  for (const auto& c : cases) {
    const Loaded loaded = loadOlder(c.config);
    ASSERT_EQ(loaded.config.profiles.size(), 1U);
    ExpandedPlugins plugins;
    ASSERT_EQ(expandPlugins(loaded.config.profiles[0], olderPoints, plugins), "");
    EXPECT_EQ(plugins.pre_score, c.pre_score);
    std::string score;
    for (const auto& [name, weight] : plugins.score) {
      score += (score.empty() ? "" : " ") + name + "=" + std::to_string(weight);
    }
    EXPECT_EQ(score, c.score);
  }
}

TEST(V1_37, DoesNotKnowOlderVersions) {
  const char* config = R"({"apiVersion":"kubescheduler.config.k8s.io/v1beta3","kind":"KubeSchedulerConfiguration"})";
  EXPECT_EQ(load(config, FeatureGates()).error,
            "no kind \"KubeSchedulerConfiguration\" is registered for version \"kubescheduler.config.k8s.io/v1beta3\" "
            "in scheme \"pkg/runtime/scheme.go:111\"");
}

}  // namespace
}  // namespace podberth::scheduler::config

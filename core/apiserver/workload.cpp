#include "core/apiserver/workload.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/api/decode.h"
#include "core/api/encode.h"
#include "core/api/workload.h"
#include "core/apiserver/controllers/names.h"
#include "core/apiserver/defaulting.h"

namespace podberth::apiserver {

namespace {

// A workload's selector and the text of its spec. Not of ReplicationControllers, whose selectors are plain labels.
template <class F>
auto visit(const api::Object& workload, const F& f) {
  switch (workload.kind) {
    case api::Kind::kReplicaSet:
      return f(static_cast<const api::ReplicaSet&>(workload));
    case api::Kind::kStatefulSet:
      return f(static_cast<const api::StatefulSet&>(workload));
    case api::Kind::kDeployment:
      return f(static_cast<const api::Deployment&>(workload));
    case api::Kind::kDaemonSet:
      return f(static_cast<const api::DaemonSet&>(workload));
    default:
      return f(static_cast<const api::Job&>(workload));
  }
}

constexpr std::size_t kLabelLength = 63;

bool manualSelector(const Json& spec) { return boolOf(spec, "manualSelector"); }

// Null if it cannot be read.
std::shared_ptr<api::Pod> readTemplate(const Json& pod_template, const std::string& ns) {
  Json pod = Json::object();
  pod["apiVersion"] = "v1";
  pod["kind"] = "Pod";
  pod["metadata"] = objectOf(pod_template, "metadata");
  if (!ns.empty()) pod["metadata"]["namespace"] = ns;
  pod["spec"] = objectOf(pod_template, "spec");
  std::shared_ptr<api::Object> object = api::decode(pod).object;
  if (object == nullptr) return nullptr;
  std::shared_ptr<api::Pod> out = std::static_pointer_cast<api::Pod>(object);
  setPodDefaults(*out);
  return out;
}

std::int64_t amountOf(const Json& value, std::int32_t total, bool round_up) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_string()) return 0;
  const std::string& text = value.get_ref<const std::string&>();
  std::int64_t percent = 0;
  for (char c : text) {
    if (c < '0' || c > '9') break;
    percent = std::min<std::int64_t>(percent * 10 + (c - '0'), 1000000);
  }
  const std::int64_t hundredfold = percent * total;
  return round_up ? (hundredfold + 99) / 100 : hundredfold / 100;
}

}  // namespace

bool isWorkload(api::Kind kind) {
  return kind == api::Kind::kReplicationController || kind == api::Kind::kReplicaSet ||
         kind == api::Kind::kStatefulSet || kind == api::Kind::kDeployment || kind == api::Kind::kDaemonSet ||
         kind == api::Kind::kJob;
}

bool isWorkload(std::string_view kind) {
  for (int i = 0; i < static_cast<int>(api::Kind::kOther); ++i) {
    const auto known = static_cast<api::Kind>(i);
    if (isWorkload(known) && api::kindName(known) == kind) return true;
  }
  return false;
}

const std::optional<api::LabelSelector>& selectorOf(const api::Object& workload) {
  return *visit(workload, [](const auto& w) { return &w.selector; });
}

api::Selector selectionOf(const api::Object& workload) {
  const auto* controller = api::as<api::ReplicationController>(&workload);
  if (controller == nullptr) return api::Selector::from(selectorOf(workload));
  return controller->selector.empty() ? api::Selector::nothing() : api::Selector::fromSet(controller->selector);
}

Json specOf(const api::Object& workload) {
  const auto* controller = api::as<api::ReplicationController>(&workload);
  if (controller != nullptr) return parseRest(controller->spec_rest);
  return parseRest(*visit(workload, [](const auto& w) { return &w.spec_rest; }));
}

std::int32_t replicasOf(const Json& spec) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(integerOf(spec, "replicas").value_or(1), 0, kMaxReplicas));
}

clock::Duration minReadyOf(const Json& spec) {
  return std::clamp<std::int64_t>(integerOf(spec, "minReadySeconds").value_or(0), 0,
                                  std::numeric_limits<std::int32_t>::max()) *
         clock::kSecond;
}

std::int32_t scaledValue(const Json* value, const Json& fallback, std::int32_t total, bool round_up) {
  const std::int64_t amount = amountOf(value != nullptr ? *value : fallback, total, round_up);
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(amount, 0, kMaxReplicas));
}

std::shared_ptr<api::Pod> podOfTemplate(const Json& pod_template, const std::string& ns) {
  std::shared_ptr<api::Pod> pod = readTemplate(pod_template, ns);
  return pod == nullptr ? std::make_shared<api::Pod>() : pod;
}

Json defaultedTemplate(const Json& pod_template) {
  const std::shared_ptr<api::Pod> pod = readTemplate(pod_template, "");
  if (pod == nullptr) return pod_template;
  const Json encoded = api::encode(*pod);
  Json out = Json::object();
  for (const char* key : {"metadata", "spec"}) out[key] = objectOf(encoded, key);
  return out;
}

std::string uidLabel(const std::string& uid) {
  if (uid.size() <= kLabelLength) return uid;
  const std::string end = "-" + nameSuffix(uid) + nameSuffix("#" + uid);
  return uid.substr(0, kLabelLength - end.size()) + end;
}

void generateJobSelector(api::Object& object) {
  auto& job = static_cast<api::Job&>(object);
  Json spec = parseRest(job.spec_rest);
  if (manualSelector(spec)) return;
  Json& labels = spec["template"]["metadata"]["labels"];
  if (!labels.is_object()) labels = Json::object();
  for (const char* key : {kLegacyJobNameLabel, kJobNameLabel}) labels.emplace(key, job.meta.name);
  for (const char* key : {kLegacyControllerUidLabel, kControllerUidLabel}) labels.emplace(key, uidLabel(job.meta.uid));
  job.spec_rest = dumpRest(spec);
  if (!job.selector) job.selector.emplace();
  const api::Symbol key{std::string_view(kControllerUidLabel)};
  if (!job.selector->match_labels.has(key)) job.selector->match_labels.set(kControllerUidLabel, uidLabel(job.meta.uid));
}

void numberTemplate(api::Object& daemon_set, const api::Object* old_set) {
  const auto generationOf = [](const api::Object& set) {
    const auto it = set.meta.annotations.find(kTemplateGeneration);
    const Json value = it == set.meta.annotations.end() ? Json() : Json::parse(it->second, nullptr, false);
    const bool whole =
        value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::int32_t>::max();
    return std::max<std::int64_t>(whole ? value.get<std::int64_t>() : 0, 1);
  };
  std::int64_t generation = generationOf(old_set != nullptr ? *old_set : daemon_set);
  if (old_set != nullptr && defaultedTemplate(objectOf(specOf(daemon_set), "template")) !=
                                defaultedTemplate(objectOf(specOf(*old_set), "template"))) {
    ++generation;
  }
  daemon_set.meta.annotations[kTemplateGeneration] = std::to_string(generation);
}

void keepJobSelector(api::Object& object, const api::Object& old_object) {
  auto& job = static_cast<api::Job&>(object);
  const auto& old_job = static_cast<const api::Job&>(old_object);
  if (manualSelector(parseRest(old_job.spec_rest))) return;
  if (!job.selector) job.selector = old_job.selector;
  generateJobSelector(job);
}

}  // namespace podberth::apiserver

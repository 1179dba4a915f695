// Upstream: pkg/apis/batch/validation/validation.go, without the policies for failures, successes and gangs.
#include <string>

#include "core/apiserver/validation.h"
#include "core/apiserver/workload.h"

namespace podberth::apiserver {

namespace {

constexpr std::int64_t kMaxIndexedParallelism = 100000;

const Path& specPath() {
  static const Path kSpec("spec");
  return kSpec;
}

bool isIndexed(const Json& spec) { return stringOf(spec, "completionMode") == "Indexed"; }

void validateCompletionMode(const Json& spec, ErrorList& errors) {
  const std::string mode = stringOf(spec, "completionMode");
  if (!mode.empty() && mode != "NonIndexed" && mode != "Indexed") {
    errors.notSupported(specPath().child("completionMode"), jsonString(mode), {"NonIndexed", "Indexed"});
  }
  if (isIndexed(spec)) {
    if (!integerOf(spec, "completions")) {
      errors.required(specPath().child("completions"), "when completion mode is Indexed");
    }
    const std::int64_t parallelism = integerOf(spec, "parallelism").value_or(1);
    if (parallelism > kMaxIndexedParallelism) {
      errors.invalid(specPath().child("parallelism"), number(parallelism),
                     "must be less than or equal to 100000 when completion mode is Indexed");
    }
    return;
  }
  for (const char* key : {"backoffLimitPerIndex", "maxFailedIndexes"}) {
    const std::optional<std::int64_t> value = integerOf(spec, key);
    if (value) errors.invalid(specPath().child(key), number(*value), "requires indexed completion mode");
  }
}

void validateRestartPolicy(const std::string& policy, ErrorList& errors) {
  const Path path = specPath().child("template").child("spec").child("restartPolicy");
  if (policy == "Always" || policy.empty()) {
    errors.required(path, "valid values: \"OnFailure\", \"Never\"");
  } else if (policy != "OnFailure" && policy != "Never") {
    errors.notSupported(path, jsonString(policy), {"OnFailure", "Never"});
  }
}

void validateNameAllowsCompletions(const api::Object& job, const Json& spec, ErrorList& errors) {
  const std::int64_t completions = integerOf(spec, "completions").value_or(0);
  if (!isIndexed(spec) || completions <= 0) return;
  const std::string longest = job.meta.name + "-" + std::to_string(completions - 1);
  if (isDns1123Label(longest, errors.wording()).empty()) return;
  errors.invalid(Path("metadata").child("name"), shown(job.meta.name),
                 "will not able to create pod with invalid DNS label: " + longest);
}

Shown shownMember(const Json& spec, const char* key) {
  const Json* found = member(spec, key);
  return found == nullptr ? null() : raw(found->dump(-1, ' ', false, Json::error_handler_t::replace));
}

bool sameMember(const Json& a, const Json& b, const char* key) {
  const Json* x = member(a, key);
  const Json* y = member(b, key);
  return (x == nullptr) == (y == nullptr) && (x == nullptr || *x == *y);
}

}  // namespace

// A Job that has its selector generated may not have been given labels that say otherwise.
void validateGeneratedSelector(const api::Object& job, const Json& spec, const api::LabelSet& labels,
                               ErrorList& errors) {
  if (boolOf(spec, "manualSelector") || !selectorOf(job)) return;
  const Path path = specPath().child("template").child("metadata").child("labels");
  const auto expect = [&](const char* key, const std::string& value) {
    const api::Symbol* found = labels.find(api::Symbol(std::string_view(key)));
    if (found == nullptr) {
      errors.required(path.key(key), "must be '" + value + "'");
    } else if (found->str() != value) {
      errors.invalid(path.key(key), shownLabels(labels), "must be '" + value + "'");
    }
  };
  const std::string uid = uidLabel(job.meta.uid);
  expect(kLegacyControllerUidLabel, uid);
  expect(kLegacyJobNameLabel, job.meta.name);
  expect(kControllerUidLabel, uid);
  expect(kJobNameLabel, job.meta.name);
  api::LabelSet expected;
  for (const char* key : {kLegacyControllerUidLabel, kControllerUidLabel}) expected.set(key, uid);
  for (const char* key : {kLegacyJobNameLabel, kJobNameLabel}) expected.set(key, job.meta.name);
  std::string error;
  const api::Selector selector = api::Selector::from(selectorOf(job), &error);
  if (error.empty() && !selector.matches(expected)) {
    errors.invalid(specPath().child("selector"), shownSelector(selectorOf(job)), "`selector` not auto-generated");
  }
}

void validateJobSpec(const api::Object& job, const Json& spec, const api::Pod& pod, const PodOptions& options,
                     ErrorList& errors) {
  for (const char* key : {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
                          "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"}) {
    validateNonNegativeMember(spec, key, specPath(), errors);
  }
  if (integerOf(spec, "maxFailedIndexes") && !integerOf(spec, "backoffLimitPerIndex")) {
    errors.required(specPath().child("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
  }
  validateCompletionMode(spec, errors);
  const std::string replacement = stringOf(spec, "podReplacementPolicy");
  if (!replacement.empty() && replacement != "Failed" && replacement != "TerminatingOrFailed") {
    errors.notSupported(specPath().child("podReplacementPolicy"), jsonString(replacement),
                        {"Failed", "TerminatingOrFailed"});
  }
  validatePodTemplate(pod, specPath().child("template"), options, errors);
  validateRestartPolicy(pod.spec.restart_policy, errors);
  if (!selectorOf(job)) {
    errors.required(specPath().child("selector"));
  } else {
    validateLabelSelector(selectorOf(job), options.allow_invalid_label_value_in_selector, specPath().child("selector"),
                          errors);
  }
  validateSelectorMatches(selectorOf(job), pod.meta.labels, false, errors);
  validateNameAllowsCompletions(job, spec, errors);
}

void validateJobSpecUpdate(const api::Object& job, const api::Object& old_job, ErrorList& errors) {
  const Json spec = specOf(job);
  const Json old_spec = specOf(old_job);
  const Path completions = specPath().child("completions");
  if (!isIndexed(spec)) {
    validateImmutable(sameMember(spec, old_spec, "completions"), shownMember(spec, "completions"), completions, errors);
  } else if (!sameMember(spec, old_spec, "completions") &&
             integerOf(spec, "completions") != integerOf(spec, "parallelism").value_or(1)) {
    errors.invalid(completions, shownMember(spec, "completions"),
                   "can only be modified in tandem with spec.parallelism");
  }
  validateImmutable(selectorOf(job) == selectorOf(old_job), shownSelector(selectorOf(job)),
                    specPath().child("selector"), errors);
  validateImmutable(defaultedTemplate(objectOf(spec, "template")) == defaultedTemplate(objectOf(old_spec, "template")),
                    shownMember(spec, "template"), specPath().child("template"), errors);
  for (const char* key : {"completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"}) {
    validateImmutable(sameMember(spec, old_spec, key), shownMember(spec, key), specPath().child(key), errors);
  }
}

}  // namespace podberth::apiserver

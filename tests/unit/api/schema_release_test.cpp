// What an older release did not have yet.
#include "core/api/schema_release.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/api/pod.h"

namespace podberth::api {
namespace {

using release::AdmissionRules;

TEST(SchemaOfRelease, LaterFieldsAreDroppedWithAWarning) {
  const nlohmann::json pod = {{"apiVersion", "v1"},
                              {"kind", "Pod"},
                              {"metadata", {{"name", "a"}}},
                              {"spec", {{"schedulingGates", {{{"name", "g"}}}}, {"nodeName", "n"}}}};
  struct {
    AdmissionRules rules;
    std::size_t gates;
    std::size_t warnings;
  } cases[] = {{AdmissionRules::kV1_37, 1, 0}, {AdmissionRules::kV1_24, 0, 1}};
  for (const auto& c : cases) {
    const Decoded decoded = decode(pod, c.rules);
    ASSERT_EQ(decoded.error, "");
    const auto& spec = static_cast<const Pod&>(*decoded.object).spec;
    EXPECT_EQ(spec.scheduling_gates.size(), c.gates);
    EXPECT_EQ(spec.node_name, "n");
    ASSERT_EQ(decoded.issues.size(), c.warnings);
    if (c.warnings == 0) continue;
    EXPECT_EQ(decoded.issues[0].severity, Issue::Severity::kWarning);
    EXPECT_EQ(decoded.issues[0].path, "/spec/schedulingGates");
    EXPECT_EQ(decoded.issues[0].message, "field \"schedulingGates\" came after this release and is ignored");
  }
}

TEST(SchemaOfRelease, LaterKindsAreNotKnown) {
  struct {
    const char* api_version;
    const char* kind;
    bool known;
  } cases[] = {
      {"v1", "Pod", true},
      {"storage.k8s.io/v1", "StorageClass", true},
      {"storage.k8s.io/v1", "VolumeAttributesClass", false},
      {"resource.k8s.io/v1", "ResourceClaim", false},
      {"scheduling.k8s.io/v1beta1", "PriorityClass", true},
      {"scheduling.k8s.io/v1beta1", "PodGroup", false},
  };
  for (const auto& c : cases) {
    const nlohmann::json object = {{"apiVersion", c.api_version}, {"kind", c.kind}, {"metadata", {{"name", "a"}}}};
    const Decoded decoded = decode(object, AdmissionRules::kV1_24);
    EXPECT_EQ(decoded.object != nullptr, c.known) << c.api_version << " " << c.kind << " " << decoded.error;
  }
}

}  // namespace
}  // namespace podberth::api

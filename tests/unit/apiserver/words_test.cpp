// The names that errors give resources.
#include <gtest/gtest.h>

#include "core/apiserver/api_errors.h"

namespace podberth::apiserver {
namespace {

TEST(Resources, HaveTheNamesThatErrorsUse) {
  EXPECT_EQ(resourceName(api::Kind::kPod), "pods");
  EXPECT_EQ(resourceName(api::Kind::kStorageClass), "storageclasses.storage.k8s.io");
  EXPECT_EQ(resourceName(api::Kind::kCSIStorageCapacity), "csistoragecapacities.storage.k8s.io");
  EXPECT_EQ(resourceName("apps", "Deployment"), "deployments.apps");
  EXPECT_EQ(resourceName("", "Endpoints"), "endpoints");
  EXPECT_EQ(notFound("pods", "a").message, "pods \"a\" not found");
}

}  // namespace
}  // namespace podberth::apiserver

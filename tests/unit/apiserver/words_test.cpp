// The words of errors and the syntax of names.
#include <gtest/gtest.h>

#include "core/apiserver/api_errors.h"
#include "core/apiserver/field_error.h"
#include "core/apiserver/name_validation.h"

namespace podberth::apiserver {
namespace {

TEST(FieldErrors, SpeakAsUpstreamAndPointIntoTheJson) {
  ErrorList errors;
  const Path containers = Path("spec").child("containers").index(0);
  errors.required(containers.child("image"));
  errors.invalid(containers.child("resources").child("requests").key("example.com/a~b"), shown("-1"), "no");
  errors.notSupported(Path("spec").child("dnsPolicy"), jsonString("<X>"), {"A", "B"});
  errors.tooMany(Path("spec").child("x"), 3, 1);
  errors.tooLong(Path("spec").child("y"), 1);
  ASSERT_EQ(errors.size(), 5U);
  EXPECT_EQ(errors.errors()[0].str(), "spec.containers[0].image: Required value");
  EXPECT_EQ(errors.errors()[0].pointer, "/spec/containers/0/image");
  EXPECT_EQ(errors.errors()[1].str(),
            "spec.containers[0].resources.requests[example.com/a~b]: Invalid value: \"-1\": no");
  EXPECT_EQ(errors.errors()[1].pointer, "/spec/containers/0/resources/requests/example.com~1a~0b");
  EXPECT_EQ(errors.errors()[2].body, "Unsupported value: \"\\u003cX\\u003e\": supported values: \"A\", \"B\"");
  EXPECT_EQ(errors.errors()[3].body, "Too many: 3: must have at most 1 item");
  EXPECT_EQ(errors.errors()[4].body, "Too long: may not be more than 1 byte");
}

TEST(FieldErrors, AreToldOnceEachAndInBracketsIfThereAreSeveral) {
  ErrorList errors;
  errors.required(Path("a"));
  errors.required(Path("a"));
  EXPECT_EQ(errors.invalidObject("Pod", "p"), "Pod \"p\" is invalid: a: Required value");
  errors.forbidden(Path("b"), "never");
  EXPECT_EQ(errors.str(), "[a: Required value, b: Forbidden: never]");
  EXPECT_EQ(errors.issues().size(), 2U);
}

TEST(Quoting, EscapesAsGo) {
  struct Case {
    std::string text, go, json;
  };
  const Case cases[] = {
      {"a\"b\\", "\"a\\\"b\\\\\"", "\"a\\\"b\\\\\""},
      {"\n\t\x01\x7f", "\"\\n\\t\\x01\\x7f\"", "\"\\n\\t\\u0001\x7f\""},
      {"\xc3\xa4", "\"\xc3\xa4\"", "\"\xc3\xa4\""},
      {"\xff", "\"\\xff\"", "\"\\ufffd\""},
      {"\xe2\x80\xa8<&>", "\"\\u2028<&>\"", "\"\\u2028\\u003c\\u0026\\u003e\""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(goQuote(c.text), c.go);
    EXPECT_EQ(goJsonString(c.text), c.json);
  }
}

TEST(Names, AreRefusedByTheirSyntax) {
  struct Case {
    const char* what;
    Messages (*rule)(std::string_view);
    std::string value;
    std::size_t messages;
  };
  const Case cases[] = {
      {"a label", isDns1123Label, "a-1", 0},
      {"a label with dots", isDns1123Label, "a.b", 1},
      {"a label too long and wrong", isDns1123Label, std::string(64, 'A'), 2},
      {"a subdomain", isDns1123Subdomain, "a.b-c.1", 0},
      {"a subdomain with an empty part", isDns1123Subdomain, "a..b", 1},
      {"a subdomain too long", isDns1123Subdomain, std::string(254, 'a'), 1},
      {"a search domain with underscores", isDns1123SubdomainWithUnderscore, "_a.b_c", 0},
      {"a search domain that ends in one", isDns1123SubdomainWithUnderscore, "a_", 1},
      {"a key", isLabelKey, "example.com/A_b.c", 0},
      {"a key without a name", isLabelKey, "a/", 2},
      {"a key without a prefix", isLabelKey, "/a", 1},
      {"a key of three parts", isLabelKey, "a/b/c", 1},
      {"no label value", isLabelValue, "", 0},
      {"a label value too long and wrong", isLabelValue, std::string(64, '-'), 2},
      {"a port", isPortName, "http-1", 0},
      {"a port of digits and hyphens", isPortName, "-1--", 3},
      {"an integer", isDecimalInteger, "-12", 0},
      {"an integer with a leading zero", isDecimalInteger, "07", 1},
      {"minus zero", isDecimalInteger, "-0", 1},
      {"a dot", isPathSegmentName, ".", 1},
      {"a key of a config map", isConfigMapKey, "..a", 1},
  };
  for (const Case& c : cases) EXPECT_EQ(c.rule(c.value).size(), c.messages) << c.what << " " << c.value;
}

TEST(Addresses, AreReadStrictlyOrSloppily) {
  struct Case {
    const char* text;
    IpFamily family;
    bool strictly;
  };
  const Case cases[] = {{"1.2.3.4", IpFamily::kV4, true},
                        {"01.2.3.4", IpFamily::kV4, false},
                        {"1.2.3", IpFamily::kNone, false},
                        {"256.1.1.1", IpFamily::kNone, false},
                        {"::1", IpFamily::kV6, true},
                        {"fd00::1:2", IpFamily::kV6, true},
                        {"1::2::3", IpFamily::kNone, false},
                        {"::ffff:1.2.3.4", IpFamily::kV4, false},
                        {"", IpFamily::kNone, false},
                        {"1:2:3:4:5:6:7:8", IpFamily::kV6, true},
                        {"1:2:3:4:5:6:7", IpFamily::kNone, false}};
  for (const Case& c : cases) {
    EXPECT_EQ(ipFamily(c.text), c.family) << c.text;
    EXPECT_EQ(isIpForLegacyField(c.text, true).empty(), c.strictly) << c.text;
  }
  EXPECT_TRUE(isCidrForLegacyField("10.0.0.0/8", true).empty());
  EXPECT_FALSE(isCidrForLegacyField("10.0.0.1/8", true).empty());
  EXPECT_TRUE(isCidrForLegacyField("10.0.0.1/8", false).empty());
  EXPECT_FALSE(isCidrForLegacyField("10.0.0.0/33", false).empty());
  EXPECT_TRUE(isCidrForLegacyField("fd00::/64", true).empty());
}

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

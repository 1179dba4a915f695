// Texts as Go prints and reads them, the words of errors, and the syntax of names.
#include "core/api/field_error.h"
#include "core/api/go_parse.h"
#include "core/api/go_text.h"
#include "core/api/ip.h"
#include "core/api/names.h"

#include <gtest/gtest.h>

namespace podberth::api {
namespace {

using field::ErrorList;
using field::jsonString;
using field::jsonStrings;
using field::Path;
using field::shown;
using namespace names;  // NOLINT

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

TEST(Parsing, SaysOfTimesAndJsonWhatGoSays) {
  struct Case {
    std::string text, error;
  };
  const std::string layout = " as \"2006-01-02T15:04:05Z07:00\": cannot parse ";
  const Case times[] = {
      {"2000-01-02T3:04:05,5+24:60", ""},
      {"2000-13-01T00:00:00Z", "parsing time \"2000-13-01T00:00:00Z\": month out of range"},
      {"2001-02-29T00:00:00Z", "parsing time \"2001-02-29T00:00:00Z\": day out of range"},
      {"2000-01-01T00:00:00Z_", "parsing time \"2000-01-01T00:00:00Z_\": extra text: \"_\""},
      {"2000-01-01T00:00:00", "parsing time \"2000-01-01T00:00:00\"" + layout + "\"\" as \"Z07:00\""},
      {"\xc3\xa9", "parsing time \"\\xc3\\xa9\"" + layout + "\"\\xc3\\xa9\" as \"2006\""},
  };
  for (const Case& c : times) EXPECT_EQ(go::parseTimeError(c.text, go::TimeLayout::kSeconds), c.error) << c.text;
  EXPECT_EQ(go::parseTimeError("2000-01-01T00:00:00.-12345Z", go::TimeLayout::kMicroseconds),
            "parsing time \"2000-01-01T00:00:00.-12345Z\": fractional second out of range");
  const Case documents[] = {
      {" {\"a\": [1, -2.5e3, true, null, \"\\u00e9\"]} ", ""},
      {"", "unexpected end of JSON input"},
      {"nul", "invalid character ' ' in literal null (expecting 'l')"},
      {"{\"a\" 1}", "invalid character '1' after object key"},
      {"[1,]", "invalid character ']' looking for beginning of value"},
      {"'", "invalid character '\\'' looking for beginning of value"},
      {"[1]\xc3", "invalid character '\xc3\x83' after top-level value"},
  };
  for (const Case& c : documents) EXPECT_EQ(go::jsonSyntaxError(c.text), c.error) << c.text;
}

TEST(Quoting, EscapesAsGo) {
  struct Case {
    std::string text, quoted, json;
  };
  const Case cases[] = {
      {"a\"b\\", "\"a\\\"b\\\\\"", "\"a\\\"b\\\\\""},
      {"\n\t\x01\x7f", "\"\\n\\t\\x01\\x7f\"", "\"\\n\\t\\u0001\x7f\""},
      {"\xc3\xa4", "\"\xc3\xa4\"", "\"\xc3\xa4\""},
      {"\xff", "\"\\xff\"", "\"\\ufffd\""},
      {"\xe2\x80\xa8<&>", "\"\\u2028<&>\"", "\"\\u2028\\u003c\\u0026\\u003e\""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(go::quote(c.text), c.quoted);
    EXPECT_EQ(go::jsonString(c.text), c.json);
  }
}

// A rule in the words of today.
template <Messages (*Rule)(std::string_view, const Wording&)>
Messages today(std::string_view value) {
  return Rule(value, kWording);
}

TEST(Names, AreRefusedByTheirSyntax) {
  struct Case {
    const char* what;
    Messages (*rule)(std::string_view);
    std::string value;
    std::size_t messages;
  };
  const Case cases[] = {
      {"a label", today<isDns1123Label>, "a-1", 0},
      {"a label with dots", today<isDns1123Label>, "a.b", 1},
      {"a label too long and wrong", today<isDns1123Label>, std::string(64, 'A'), 2},
      {"a subdomain", today<isDns1123Subdomain>, "a.b-c.1", 0},
      {"a subdomain with an empty part", today<isDns1123Subdomain>, "a..b", 1},
      {"a subdomain too long", today<isDns1123Subdomain>, std::string(254, 'a'), 1},
      {"a search domain with underscores", isDns1123SubdomainWithUnderscore, "_a.b_c", 0},
      {"a search domain that ends in one", isDns1123SubdomainWithUnderscore, "a_", 1},
      {"a key", today<isLabelKey>, "example.com/A_b.c", 0},
      {"a key without a name", today<isLabelKey>, "a/", 2},
      {"a key without a prefix", today<isLabelKey>, "/a", 1},
      {"a key of three parts", today<isLabelKey>, "a/b/c", 1},
      {"no label value", today<isLabelValue>, "", 0},
      {"a label value too long and wrong", today<isLabelValue>, std::string(64, '-'), 2},
      {"a port", today<isPortName>, "http-1", 0},
      {"a port of digits and hyphens", today<isPortName>, "-1--", 3},
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

TEST(Names, AreTooLongInBytesOrCharacters) {
  EXPECT_EQ(isLabelKey(std::string(64, 'a'), kWording), Messages{"name part must be no more than 63 bytes"});
  EXPECT_EQ(isLabelValue(std::string(64, 'a'), kWording), Messages{"must be no more than 63 bytes"});
  EXPECT_EQ(isDns1123Label(std::string(64, 'a'), kWording), Messages{"must be no more than 63 characters"});
  EXPECT_EQ(isDns1123Label("a.b", kWording), Messages{"must not contain dots"});
}

TEST(FieldErrors, ShowValuesAsJsonOrAsGo) {
  Wording older;
  older.values_as_json = false;
  for (const bool json : {true, false}) {
    ErrorList errors(json ? kWording : older);
    errors.invalid(Path(), jsonStrings({"a", "<"}), "");
    errors.invalid(Path("b"), jsonStrings({}), "");
    errors.invalid(Path("c"), jsonString("<"), "");
    EXPECT_EQ(errors.texts(), json ? (Messages{"<nil>: Invalid value: [\"a\",\"\\u003c\"]", "b: Invalid value: null",
                                               "c: Invalid value: \"\\u003c\""})
                                   : (Messages{"<nil>: Invalid value: []string{\"a\", \"<\"}",
                                               "b: Invalid value: []string(nil)", "c: Invalid value: \"<\""}));
  }
}

TEST(GoText, ReadsIntegersAsGo) {
  std::int64_t n = 0;
  EXPECT_TRUE(go::parseInt64("-9223372036854775808", n));
  EXPECT_EQ(n, INT64_MIN);
  EXPECT_TRUE(go::parseInt64("+9223372036854775807", n));
  EXPECT_EQ(n, INT64_MAX);
  EXPECT_TRUE(go::parseInt64("007", n));
  EXPECT_EQ(n, 7);
  for (const char* text : {"", "-", "+", "1.0", "9223372036854775808", "-9223372036854775809", " 1", "1_0", "0x1"}) {
    EXPECT_FALSE(go::parseInt64(text, n)) << text;
  }
}

TEST(GoText, PrintsAsGoDoes) {
  EXPECT_EQ(go::quote("a\"\\\n\x01\xc3\xa9\xff\xe2\x80\x8b"), "\"a\\\"\\\\\\n\\x01\xc3\xa9\\xff\\u200b\"");
  EXPECT_EQ(go::jsonString("<a>&\"\x01\xe2\x80\xa8"), "\"\\u003ca\\u003e\\u0026\\\"\\u0001\\u2028\"");
  EXPECT_EQ(go::jsonStrings({"a", "b"}), "[\"a\",\"b\"]");
}

TEST(GoText, ReadsAndPrintsDurations) {
  struct {
    const char* text;
    std::int64_t nanoseconds;
    const char* printed;
  } good[] = {
      {"0", 0, "0s"},
      {"1h2m3.5s", 3723500000000, "1h2m3.5s"},
      {"1.5us", 1500, "1.5\xc2\xb5s"},
      {"-300ms", -300000000, "-300ms"},
      {"90m", 5400000000000, "1h30m0s"},
      {".5s", 500000000, "500ms"},
      {"2562047h47m16.854775807s", 9223372036854775807, "2562047h47m16.854775807s"},
  };
  for (const auto& c : good) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(go::parseDuration(c.text, nullptr), c.nanoseconds);
    EXPECT_EQ(go::durationString(c.nanoseconds), c.printed);
  }
  struct {
    const char* text;
    const char* error;
  } bad[] = {
      {"", "time: invalid duration \"\""},
      {"-", "time: invalid duration \"-\""},
      {".s", "time: invalid duration \".s\""},
      {"3", "time: missing unit in duration \"3\""},
      {"3d", "time: unknown unit \"d\" in duration \"3d\""},
      {"2562047h47m16.854775808s", "time: invalid duration \"2562047h47m16.854775808s\""},
  };
  for (const auto& c : bad) {
    std::string error;
    EXPECT_EQ(go::parseDuration(c.text, &error), std::nullopt);
    EXPECT_EQ(error, c.error);
  }
}

}  // namespace
}  // namespace podberth::api

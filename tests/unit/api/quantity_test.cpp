#include "core/api/quantity.h"

#include <gtest/gtest.h>

namespace podberth::api {
namespace {

const char* const kFormatError =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const char* const kSuffixError = "unable to parse quantity's suffix";
const char* const kNumericError = "unable to parse numeric part of quantity";

Quantity q(const char* text) {
  std::string error;
  const auto parsed = Quantity::parse(text, &error);
  EXPECT_TRUE(parsed) << text << ": " << error;
  return parsed.value_or(Quantity());
}

TEST(Quantity, prints_its_canonical_form) {
  struct Case {
    const char* text;
    const char* want;
  };
  for (const Case& c : {
           Case{"0", "0"},
           Case{"0Ki", "0"},
           Case{"-0", "0"},
           Case{"-", "0"},
           Case{"100m", "100m"},
           Case{"1000m", "1"},
           Case{"1500m", "1500m"},
           Case{"1.5", "1500m"},
           Case{"0.1", "100m"},
           Case{"1000", "1k"},
           Case{"10000", "10k"},
           Case{"1024", "1024"},
           Case{"1Ki", "1Ki"},
           Case{"1024Ki", "1Mi"},
           Case{"1.5Gi", "1536Mi"},
           Case{"0.5Ki", "512"},
           Case{"1025Ki", "1025Ki"},
           Case{"1.1Ki", "1126400m"},
           Case{"100Mi", "100Mi"},
           Case{"1e3", "1e3"},
           Case{"1E3", "1E3"},
           Case{"12e4", "120e3"},
           Case{"1e-9", "1e-9"},
           Case{"1e-10", "1e-9"},
           Case{"0.1n", "1n"},
           Case{"-0.1n", "-1n"},
           Case{"1.0000000001", "1000000001n"},
           Case{"3066E-12", "4e-9"},
           Case{"10E", "10E"},
           Case{"1000E", "1"},
           Case{"-1.9Pi", "-2139209823000985600m"},
           Case{"9223372036854775807Ki", "9223372036854775807"},
           Case{"-61.5Ti", "-62976Gi"},
           // A number in canonical form keeps its text.
           Case{"+5", "+5"},
           Case{"05", "05"},
           Case{"1.500", "1.500"},
           Case{"10.005", "10.005"},
           Case{"1.500m", "1.500m"},
           Case{"1.5000m", "1500u"},
       }) {
    EXPECT_EQ(q(c.text).str(), c.want) << c.text;
  }
}

TEST(Quantity, refuses_what_is_no_quantity) {
  struct Case {
    const char* text;
    const char* want;
  };
  for (const Case& c :
       {Case{"", kFormatError}, Case{"1x", kFormatError}, Case{"true", kFormatError}, Case{"1.1.1", kFormatError},
        Case{" 1", kFormatError}, Case{"1 ", kFormatError}, Case{"1+1", kSuffixError}, Case{"1i", kSuffixError},
        Case{"1K", kSuffixError}, Case{"1mi", kSuffixError}, Case{"1ee", kSuffixError}, Case{"1e", kSuffixError},
        Case{"1e1e", kFormatError}, Case{".e-10", kNumericError}}) {
    std::string error;
    EXPECT_FALSE(Quantity::parse(c.text, &error)) << c.text;
    EXPECT_EQ(error, c.want) << c.text;
  }
}

TEST(Quantity, values_round_away_from_zero) {
  struct Case {
    const char* text;
    std::int64_t value, milli;
  };
  for (const Case& c : {Case{"1", 1, 1000}, Case{"100m", 1, 100}, Case{"1500m", 2, 1500}, Case{"-1500m", -2, -1500},
                        Case{"1n", 1, 1}, Case{"1Gi", 1073741824, 1073741824000}, Case{"1e-9", 1, 1},
                        Case{"2.5Ki", 2560, 2560000}, Case{"0", 0, 0}, Case{"1.0000000001", 2, 1001}}) {
    EXPECT_EQ(q(c.text).value(), c.value) << c.text;
    EXPECT_EQ(q(c.text).milliValue(), c.milli) << c.text;
  }
}

TEST(Quantity, values_that_do_not_fit_come_out_as_upstream_has_them) {
  struct Case {
    const char* text;
    std::int64_t value, milli, mega;
  };
  for (const Case& c :
       {Case{"10E", 0, 0, 10000000000000}, Case{"8073021573.819303P", 6944145128540325376, 0, 8073021573819303000},
        Case{"730308622.425815G", 730308622425815000, -7561140522567064640, 730308622426},
        Case{"42930612713000e3", 42930612713000000, 6037124565580896768, 42930612713},
        Case{"-1.9Pi", 3746994890, 3746994889973, 3747}, Case{"-61.5Ti", 5798665996, 5798665995217, 5799},
        Case{"9Ei", 9223372036854775807, -1000, 9223372036855}}) {
    EXPECT_EQ(q(c.text).value(), c.value) << c.text;
    EXPECT_EQ(q(c.text).milliValue(), c.milli) << c.text;
    EXPECT_EQ(q(c.text).scaledValue(6), c.mega) << c.text;
  }
}

TEST(Quantity, compares_numbers_whatever_their_form) {
  struct Case {
    const char *a, *b;
    int want;
  };
  for (const Case& c :
       {Case{"1", "1000m", 0}, Case{"1Ki", "1024", 0}, Case{"1k", "1Ki", -1}, Case{"-1", "1n", -1},
        Case{"1e30", "1", 1}, Case{"-1e30", "-1", -1}, Case{"0.1Ki", "102400m", 0}, Case{"0", "-0", 0},
        Case{"123456789012345678901234567890", "123456789012345678901234567891", -1}, Case{"1e100", "1e99", 1}}) {
    EXPECT_EQ(q(c.a).compare(q(c.b)), c.want) << c.a << " " << c.b;
    EXPECT_EQ(q(c.b).compare(q(c.a)), -c.want) << c.a << " " << c.b;
  }
  EXPECT_TRUE(q("1") == q("1000m"));
  EXPECT_TRUE(q("1") != q("2"));
}

TEST(Quantity, sums_keep_the_format_of_the_first_unless_it_is_zero) {
  struct Case {
    const char *a, *b, *sum, *difference;
  };
  for (const Case& c :
       {Case{"1", "100m", "1100m", "900m"}, Case{"0", "1Ki", "1Ki", "-1Ki"}, Case{"1Ki", "1024", "2Ki", "0"},
        Case{"1024", "1Ki", "2048", "0"}, Case{"1Gi", "1", "1073741825", "1073741823"}, Case{"10", "0", "10", "10"},
        Case{"9223372036854775807", "1", "9223372036854775808", "9223372036854775806"},
        Case{"1.5Gi", "512Mi", "2Gi", "1Gi"},
        Case{"1n", "1E", "1000000000000000000000000001n", "-999999999999999999999999999n"}}) {
    EXPECT_EQ(q(c.a).add(q(c.b)).str(), c.sum) << c.a << " " << c.b;
    EXPECT_EQ(q(c.a).sub(q(c.b)).str(), c.difference) << c.a << " " << c.b;
  }
}

TEST(Quantity, is_made_of_numbers) {
  EXPECT_EQ(Quantity::fromInt(2048, Quantity::Format::kBinarySI).str(), "2Ki");
  EXPECT_EQ(Quantity::fromInt(2048).str(), "2048");
  EXPECT_EQ(Quantity::fromMilli(1500).str(), "1500m");
  EXPECT_EQ(Quantity::fromMilli(2000).str(), "2");
  EXPECT_EQ(Quantity::fromMilli(2000).value(), 2);
  EXPECT_EQ(Quantity::fromInt(-3).neg().value(), 3);
  EXPECT_EQ(Quantity::fromInt(-3).sign(), -1);
  EXPECT_TRUE(Quantity().isZero());
}

}  // namespace
}  // namespace podberth::api

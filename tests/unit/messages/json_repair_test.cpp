#include "messages/base/json/json_numbers.hpp"
#include "messages/base/json/json_repair.hpp"

#include <doctest/doctest.h>

namespace gasoline {

TEST_CASE("ill-formed UTF-8 becomes U+FFFD and the rest stays") {
  CHECK(repaired_json("\"call\x95sign\"") == "\"call\xEF\xBF\xBDsign\"");
  CHECK(repaired_json("\"\xC3\"") == "\"\xEF\xBF\xBD\"");
  CHECK(repaired_json("\"\xED\xA0\x80\"") == "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
  CHECK(repaired_json("\"gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80\"") ==
        "\"gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80\"");
}

TEST_CASE("half surrogate pairs become U+FFFD, whole ones stay") {
  CHECK(repaired_json(R"("cut \ud83d")") == R"("cut \ufffd")");
  CHECK(repaired_json(R"("\ude00 \ud83dx")") == R"("\ufffd \ufffdx")");
  CHECK(repaired_json(R"("\ud83d\ude00 \u00e9")") == R"("\ud83d\ude00 \u00e9")");
  CHECK(repaired_json(R"("\\ud83d")") == R"("\\ud83d")");
}

TEST_CASE("numbers that nothing can hold become strings") {
  CHECK(repaired_json(R"({"a":1e999,"b":-1.5e3,"c":18446744073709551616})") ==
        R"({"a":"1e999","b":-1.5e3,"c":"18446744073709551616"})");
  CHECK(repaired_json(R"({"a":18446744073709551615,"s":"1e999"})") ==
        R"({"a":18446744073709551615,"s":"1e999"})");
}

TEST_CASE("numbers are kept from a level on, what is above it stays as it is") {
  CHECK_FALSE(with_exact_numbers(R"({"a":[1,-2.5e3,18446744073709551615,"1e999"]})", 0));
  CHECK(with_exact_numbers(R"({"a":1e999,"b":{"c":1e999,"d":-0}})", 2) ==
        R"({"a":1e999,"b":{"c":"1e999","d":-0.0}})");
  CHECK(with_exact_numbers("[1e999]", 1) == R"(["1e999"])");
  CHECK_FALSE(with_exact_numbers("1e999", 1));
  CHECK(with_exact_numbers(R"({"a\\":{"b\"":123456789012345678901}})", 2) ==
        R"({"a\\":{"b\"":"123456789012345678901"}})");
  CHECK_FALSE(with_exact_numbers("}}[[-", 1));
  CHECK_FALSE(with_exact_numbers("{{\"open \\", 1));
}

TEST_CASE("what is no JSON stays no JSON") {
  CHECK(repaired_json("[NaN, 1.2.3, 01, -]") == "[NaN, 1.2.3, 01, -]");
  CHECK(repaired_json("\"open \\") == "\"open \\");
}

TEST_CASE("a byte order mark is dropped") {
  CHECK(repaired_json("\xEF\xBB\xBF[]") == "[]");
}

} // namespace gasoline

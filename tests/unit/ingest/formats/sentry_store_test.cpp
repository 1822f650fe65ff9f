#include "tests/unit/support/decoded.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {

TEST_CASE("an event that older SDKs post by itself is read, and answered with its id") {
  const auto body =
      test::decoded_as("sentry_store",
                       R"({"event_id":"e9","level":"error","platform":"python",)"
                       R"("exception":{"values":[{"type":"KeyError","value":"'sku'"}]}})",
                       {{}, "shop", {}});
  REQUIRE(body.events.size() == 1);
  CHECK(body.events[0].message == "KeyError: 'sku'");
  CHECK(body.events[0].service == "shop");
  const auto* format = find_format("sentry_store");
  CHECK(format->answer(body, {}).body == R"({"id":"e9"})");
  CHECK(format->route.refusal(400, "No.", {}).body == R"({"detail":"No.","causes":[]})");
  CHECK_FALSE(test::refused_as("sentry_store", "[]").empty());
}

TEST_CASE("numbers that JSON does not have become null, in strings they stay") {
  const auto body = test::decoded_as(
      "sentry_store",
      R"({"message":"NaN \" NaN","level":"info","extra":{"a":NaN,"b":[-Infinity,Infinity,1]}})");
  REQUIRE(body.events.size() == 1);
  CHECK(body.events[0].message == "NaN \" NaN");
  CHECK(body.events[0].fields.find(R"("extra":{"a":null,"b":[null,null,1]})") != std::string::npos);
  CHECK_FALSE(test::refused_as("sentry_store", R"({"a":NaN)").empty());
  CHECK_FALSE(test::refused_as("sentry_store", R"({"a":"NaN)").empty());
}

} // namespace gasoline

#include "actors/ingest/decoding/console_message.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "actors/redaction/rules/format_string.hpp"
#include "actors/redaction/rules/triggers/triggers.hpp"

#include <doctest/doctest.h>
#include <re2/re2.h>

#include <string>
#include <string_view>
#include <vector>

using namespace gasoline;
using redaction::announced_arguments;
using redaction::key_class;

namespace {

std::string console_line(std::string_view format, std::string_view json) {
  simdjson::dom::parser parser;
  return console_message(format, parser.parse(simdjson::padded_string{json}).value());
}

const redaction_engine& plain_engine() {
  static const redaction_engine built{{}};
  return built;
}

} // namespace

TEST_CASE("a format string announces its arguments in their order") {
  const auto plain = key_class::plain;
  const auto strong = key_class::strong;
  CHECK(announced_arguments("token %s") == std::vector{key_class::weak});
  CHECK(announced_arguments("login %s with password %s") == std::vector{plain, strong});
  CHECK(announced_arguments("password={} user={}") == std::vector{strong, plain});
  CHECK(announced_arguments("api key is \"%-10s\", 50%% done") == std::vector{strong});
  CHECK(announced_arguments("%cpassword%c: %s") == std::vector{plain, strong, strong});
  CHECK(announced_arguments("secret {0}") == std::vector{strong});
  CHECK(announced_arguments("%s took %d ms").empty());
  CHECK(announced_arguments("Unexpected token %s in JSON at %d").empty());
  CHECK(announced_arguments("no directive").empty());
  CHECK(announced_arguments("100% of the token").empty());
}

TEST_CASE("arguments of a format string are masked wherever both stand") {
  for (const std::string_view document :
       {R"({"format":"token %s","args":["hunter2abc"]})",
        R"({"msg":"user %s, password %s","params":["ann","hunter2abc"]})",
        R"(["password: %s","hunter2abc"])", R"(["login %s with token %s","ann","hunter2abc"])",
        R"({"a":{"template":"secret {} of {}","values":["hunter2abc","x"]}})"}) {
    const auto out = plain_engine().json_value(document).str();
    CAPTURE(out);
    CHECK(out.find("hunter2abc") == std::string::npos);
    CHECK(out.find("[REDACTED]") != std::string::npos);
  }
  CHECK(plain_engine().json_value(R"({"format":"%s of %s","args":["one","two2222"]})").str() ==
        R"({"format":"%s of %s","args":["one","two2222"]})");
}

TEST_CASE("an event's message announces the arguments among its fields") {
  raw_event raw;
  raw.message = "token %s for %s";
  raw.fields = R"("args":["hunter2abc","ann"])";
  CHECK(plain_engine().redact(std::move(raw))->fields.str() == R"("args":["[REDACTED]","ann"])");
}

TEST_CASE("a console message is what a console prints") {
  CHECK(console_line({}, R"(["a",1,{"b":2}])") == R"(a 1 {"b":2})");
  CHECK(console_line({}, R"(["token %s of %d","x",2,"rest"])") == "token x of 2 rest");
  CHECK(console_line({}, R"(["%cbold%c plain","color:red",""])") == "bold plain");
  CHECK(console_line({}, R"(["50%% of %s"])") == "50% of %s");
  CHECK(console_line("token %s", R"(["x"])") == "token x");
  CHECK(console_line({}, R"([1,"%s"])") == "1 %s");
  CHECK(console_line({}, R"("text")") == "text");
  CHECK(console_line({}, "[]").empty());
}

TEST_CASE("every shape of a token compiles and begins with its trigger") {
  for (const auto& shape : redaction::token_shapes()) {
    CAPTURE(shape.kind);
    CAPTURE(shape.shape);
    const re2::RE2 expression{re2::StringPiece{shape.shape.data(), shape.shape.size()},
                              re2::RE2::Quiet};
    CHECK(expression.ok());
    CHECK_FALSE(shape.trigger.empty());
    CHECK(expression.NumberOfCapturingGroups() <= 1);
  }
}

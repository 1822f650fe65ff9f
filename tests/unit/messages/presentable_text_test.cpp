#include "messages/base/presentable_text.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace gasoline;

TEST_CASE("text for a terminal: no control characters, further lines are indented") {
  CHECK(terminal_text("boom\n--- ALERTS (1) ---\n\x1b[31mred") ==
        "boom\n    --- ALERTS (1) ---\n    \\u001b[31mred");
  CHECK(terminal_text("a\rb\tc") == "a\\u000db\tc");
  CHECK(terminal_text("\xC2\x9B"
                      "2J\xE2\x80\xAE") == "\\u009b2J\\u202e");
  CHECK(terminal_line("a\nb\x1b[2J") == "a\\u000ab\\u001b[2J");
  CHECK(terminal_text("caf\xC3\xA9 \xF0\x9F\x98\x80") == "caf\xC3\xA9 \xF0\x9F\x98\x80");
}

TEST_CASE("making a text presentable tells how many characters were changed") {
  std::string text = "a\tb\xE2\x80\xAE\x1b\xFF";
  CHECK(make_presentable(text) == 3);
  CHECK(text == "a\tb\\u202e\\u001b\xEF\xBF\xBD");
  std::string plain = "caf\xC3\xA9";
  CHECK(make_presentable(plain) == 0);
}

TEST_CASE("a labelled document is one document with the sentence in front") {
  CHECK(labelled_document("{}") == R"({"note":")" + std::string{outside_text_label} + "\"}");
  const auto document = nlohmann::json::parse(labelled_document(R"({"a":1})"));
  CHECK(document.at("a") == 1);
  CHECK(document.at("note") == outside_text_label);
  CHECK(labelled_document("[1]") == "[1]");
}

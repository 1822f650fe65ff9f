#include "actors/agents/providers/anthropic_answer.hpp"
#include "actors/agents/providers/broken_characters.hpp"
#include "actors/agents/providers/openai_answer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace gasoline;

namespace {

/// The text of an answer whose pieces are these JSON strings, without their quotes.
std::string said_by_openai(const std::vector<std::string>& pieces) {
  openai_answer answer{limits{}};
  std::string out;
  const auto take = [&](const std::vector<provider_chunk>& chunks) {
    for (const auto& c : chunks)
      if (c.kind == chunk_kind::text)
        out += c.text;
  };
  for (const auto& piece : pieces)
    take(
        answer.feed(R"(data: {"choices":[{"index":0,"delta":{"content":")" + piece + "\"}}]}\n\n"));
  take(answer.feed("data: [DONE]\n\n"));
  take(answer.end());
  return out;
}

/// The arguments of a tool call whose pieces are these JSON strings, without their quotes.
std::string arguments_by_anthropic(const std::vector<std::string>& pieces) {
  anthropic_answer answer{limits{}};
  std::string out;
  const auto feed = [&](const std::string& data) {
    for (const auto& c : answer.feed("data: " + data + "\n\n"))
      if (c.kind == chunk_kind::tool_use_input)
        out += c.text;
  };
  feed(R"({"type":"message_start","message":{"usage":{}}})");
  feed(R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t",)"
       R"("name":"n","input":{}}})");
  for (const auto& piece : pieces)
    feed(R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta",)"
         R"("partial_json":")" +
         piece + R"("}})");
  feed(R"({"type":"content_block_stop","index":0})");
  return out;
}

} // namespace

TEST_CASE("characters that a server has cut between events are put together") {
  const std::string smile = "\xF0\x9F\x98\x80";
  CHECK(said_by_openai({"a\\ud83d", "\\ude00b"}) == "a" + smile + "b");
  CHECK(said_by_openai({"\\ud83d", "", "\\ude00"}) == smile);
  CHECK(said_by_openai({"\\uD83D\\uDE00\\uD83D", "\\uDE00"}) == smile + smile);
  for (std::size_t cut = 1; cut < smile.size(); ++cut)
    CHECK(said_by_openai({"a" + smile.substr(0, cut), smile.substr(cut) + "b"}) ==
          "a" + smile + "b");
  CHECK(said_by_openai({"\xF0", "\x9F", "\x98", "\x80"}) == smile);
  CHECK(said_by_openai({"\xE2\x82", "\xAC"}) == "\xE2\x82\xAC");
  CHECK(arguments_by_anthropic({"{\\\"a\\\":\\\"\\ud83d", "\\ude00\\\"}"}) ==
        "{\"a\":\"" + smile + "\"}");
  // Of the input's own escapes nothing is cut.
  CHECK(arguments_by_anthropic({"{\\\"a\\\":\\\"\\\\ud83d", "\\\\ude00\\\"}"}) ==
        R"({"a":"\ud83d\ude00"})");
}

TEST_CASE("what becomes no character is U+FFFD, and nothing else is lost") {
  const std::string lost = "\xEF\xBF\xBD";
  CHECK(said_by_openai({"a\\ud83d", "b"}) == "a" + lost + "b");
  CHECK(said_by_openai({"a\\ude00", "b"}) == "a" + lost + "b");
  CHECK(said_by_openai({"a\\ud83d"}) == "a" + lost);
  CHECK(said_by_openai({"a\\ud83d\\ud83d", "\\ude00"}) == "a" + lost + "\xF0\x9F\x98\x80");
  CHECK(said_by_openai({"a\xF0\x9F", "b"}).find("b") != std::string::npos);
  CHECK(said_by_openai({"a\xFF", "b"}) == "a" + lost + "b");
  CHECK(said_by_openai({"\xC3", "\\n"}) == lost + "\n");
  CHECK(arguments_by_anthropic({"{\\\"a\\\":\\\"\\ud83d"}) == "{\"a\":\"" + lost);
  CHECK(said_by_openai({"\\\\ud83d", "x"}) == "\\ud83dx");
}

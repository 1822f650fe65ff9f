#include "actors/agents/providers/anthropic_answer.hpp"
#include "actors/agents/providers/call_failures.hpp"
#include "actors/agents/providers/openai_answer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace gasoline;
using nlohmann::json;

namespace {

/// Chunks as one text, so that whole answers can be compared; pieces of a text are joined.
std::string summary_of(const std::vector<provider_chunk>& chunks) {
  std::string out;
  const provider_chunk* before = nullptr;
  for (const auto& c : chunks) {
    if (c.kind == chunk_kind::usage)
      continue;
    const bool goes_on = before != nullptr && before->kind == c.kind &&
                         before->block_index == c.block_index && !c.signature;
    before = &c;
    if (goes_on) {
      out += c.text;
      continue;
    }
    const auto block = std::to_string(c.block_index);
    switch (c.kind) {
    case chunk_kind::start:
      out += "start";
      break;
    case chunk_kind::text:
      out += "\ntext " + block + " " + c.text;
      break;
    case chunk_kind::thinking:
      out += "\nthinking " + block + " " + c.text + c.signature.value_or("");
      break;
    case chunk_kind::tool_use_start:
      out += "\ntool " + block + " " + c.tool_use_id + " " + c.tool_name;
      break;
    case chunk_kind::tool_use_input:
      out += "\ninput " + block + " " + c.text;
      break;
    case chunk_kind::tool_use_end:
      out += "\nend " + block;
      break;
    case chunk_kind::usage: // is in the last chunk as well
      break;
    case chunk_kind::foreign:
      out += "\nforeign";
      break;
    case chunk_kind::finished:
      out += "\nfinished " + c.stop_reason + " " + to_json_document(c.usage).dump();
      break;
    case chunk_kind::failed:
      out += "\nfailed " + c.failure.error_class + (c.failure.can_retry ? " again: " : ": ") +
             c.failure.message;
      break;
    }
  }
  return out;
}

template <class Stream>
std::string decoded(const std::vector<std::string>& pieces) {
  Stream stream{limits{}};
  std::vector<provider_chunk> all;
  const auto take = [&](std::vector<provider_chunk> chunks) {
    for (auto& chunk : chunks)
      all.push_back(std::move(chunk));
  };
  for (const auto& piece : pieces)
    take(stream.feed(piece));
  take(stream.end());
  return summary_of(all);
}

/// The same answer however the bytes are cut: at each position, and into single bytes.
template <class Stream>
void check_every_split(const std::string& bytes, const std::string& expected) {
  CHECK(decoded<Stream>({bytes}) == expected);
  for (std::size_t at = 1; at < bytes.size(); ++at)
    REQUIRE(decoded<Stream>({bytes.substr(0, at), bytes.substr(at)}) == expected);
  std::vector<std::string> single;
  for (const char c : bytes)
    single.emplace_back(1, c);
  CHECK(decoded<Stream>(single) == expected);
}

std::string sse(const std::string& type, const std::string& data) {
  return "event: " + type + "\ndata: " + data + "\n\n";
}

std::string data(const std::string& text) {
  return "data: " + text + "\n\n";
}

const std::string message_start = sse(
    "message_start",
    R"({"type":"message_start","message":{"id":"m","usage":{"input_tokens":25,"output_tokens":1,"cache_read_input_tokens":7}}})");

std::string whole_anthropic_answer() {
  return message_start +
         sse("content_block_start",
             R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}})") +
         sse("content_block_delta",
             R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}})") +
         sse("content_block_delta",
             R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"SIG"}})") +
         sse("content_block_stop", R"({"type":"content_block_stop","index":0})") +
         sse("ping", R"({"type":"ping"})") +
         sse("content_block_start",
             R"({"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"x","name":"web"}})") +
         sse("content_block_delta",
             R"({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}})") +
         sse("content_block_stop", R"({"type":"content_block_stop","index":1})") +
         sse("content_block_start",
             R"({"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}})") +
         sse("content_block_delta",
             R"({"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"Grüße "}})") +
         sse("content_block_delta",
             R"({"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"\ud83d\ude00"}})") +
         sse("content_block_stop", R"({"type":"content_block_stop","index":2})") +
         sse("content_block_start",
             R"({"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_1","name":"read_file","input":{}}})") +
         sse("content_block_delta",
             R"({"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":""}})") +
         sse("content_block_delta",
             R"({"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"path\":"}})") +
         sse("content_block_delta",
             R"({"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"\"a\"}"}})") +
         sse("content_block_stop", R"({"type":"content_block_stop","index":3})") +
         sse("message_delta",
             R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":15}})") +
         sse("message_stop", R"({"type":"message_stop"})") + "data: late\n\n";
}

std::string whole_openai_answer() {
  return std::string{": keep alive\r\n\r\n"} +
         data(
             R"({"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]})") +
         data(R"({"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]})") +
         data(R"({"choices":[{"index":0,"delta":{"content":"Grüße "}}]})") +
         data(
             R"({"choices":[{"index":0,"delta":{"content":"😀"}},{"index":1,"delta":{"content":"other"}}]})") +
         data(
             R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"read_file","arguments":""}}]}}]})") +
         data(
             R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":"}}]}}]})") +
         data(
             R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","function":{"name":"list_files","arguments":"{}"}},{"index":0,"function":{"arguments":"\"a\"}"}}]}}]})") +
         data(R"({"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":null})") +
         data(
             R"({"choices":[],"usage":{"prompt_tokens":30,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":10}}})") +
         data("[DONE]");
}

} // namespace

TEST_CASE("an Anthropic answer is the same however its bytes are cut") {
  check_every_split<anthropic_answer>(
      whole_anthropic_answer(),
      "start\nthinking 0 hm\nthinking 0 SIG\ntext 1 Grüße 😀\ntool 2 toolu_1 read_file\n"
      "input 2 {\"path\":\"a\"}\nend 2\nfinished tool_use "
      R"({"cache_read_input_tokens":7,"cost_usd":null,"input_tokens":25,"output_tokens":15})");
}

TEST_CASE("an OpenAI answer is the same however its bytes are cut") {
  check_every_split<openai_answer>(
      whole_openai_answer(),
      "start\nthinking 0 hm\ntext 1 Grüße 😀\ntool 2 call_a read_file\ninput 2 {\"path\":\n"
      "tool 3 call_b list_files\ninput 2 \"a\"}\nend 2\ninput 3 {}\nend 3\nfinished tool_use "
      R"({"cache_read_input_tokens":10,"cost_usd":null,"input_tokens":20,"output_tokens":9})");
}

TEST_CASE("half an Anthropic answer is no whole one, wherever it breaks off") {
  const auto whole = whole_anthropic_answer();
  const auto last =
      whole.find("event: message_stop") + sse("message_stop", R"({"type":"message_stop"})").size();
  for (std::size_t size = 0; size < last; ++size)
    REQUIRE(
        decoded<anthropic_answer>({whole.substr(0, size)}).find("failed incomplete_stream again") !=
        std::string::npos);
}

TEST_CASE("half an OpenAI answer is no whole one, but the last word may be missing") {
  const auto whole = whole_openai_answer();
  const auto finish = whole.find("finish_reason\":\"tool_calls");
  for (std::size_t size = 0; size < finish; ++size)
    REQUIRE(
        decoded<openai_answer>({whole.substr(0, size)}).find("failed incomplete_stream again") !=
        std::string::npos);
  CHECK(decoded<openai_answer>({whole.substr(0, whole.size() - data("[DONE]").size())})
            .find("finished tool_use") != std::string::npos);
  CHECK(decoded<openai_answer>({data("[DONE]")}) ==
        "\nfailed incomplete_stream again: The provider's stream ended before the answer was "
        "complete.");
}

TEST_CASE("error events have the class that their type says") {
  const std::pair<const char*, const char*> rows[] = {
      {"overloaded_error", "overloaded again"},
      {"rate_limit_error", "rate_limited again"},
      {"api_error", "server_error again"},
      {"authentication_error", "authentication: "},
      {"invalid_request_error", "invalid_request: "}};
  for (const auto& [type, expected] : rows) {
    const json event{{"type", "error"}, {"error", {{"type", type}, {"message", "Sorry"}}}};
    CHECK(decoded<anthropic_answer>({message_start + sse("error", event.dump())})
              .find(std::string{"failed "} + expected) != std::string::npos);
  }
  CHECK(
      decoded<openai_answer>({data(
          R"({"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}})")}) ==
      "\nfailed rate_limited again: slow down");
  CHECK(decoded<openai_answer>({data(R"({"error":{"message":"boom","code":503}})")}) ==
        "\nfailed overloaded again: boom");
}

TEST_CASE("nonsense in a stream is a failure and no crash") {
  const std::string deep(100'000, '[');
  for (const auto* text : {"nonsense", "[]", "7", "\"x\"", "{\"a\":", "{]}"}) {
    CHECK(decoded<anthropic_answer>({data(text)}).find("failed malformed_stream") !=
          std::string::npos);
    CHECK(decoded<openai_answer>({data(text)}).find("failed malformed_stream") !=
          std::string::npos);
  }
  CHECK(decoded<openai_answer>({data("{\"a\":" + deep)}).find("nests too deep") !=
        std::string::npos);
  CHECK(
      decoded<anthropic_answer>(
          {message_start + sse("content_block_delta",
                               R"({"type":"content_block_delta","index":9,"delta":{"text":"x"}})")})
          .find("failed malformed_stream") != std::string::npos);
  CHECK(decoded<anthropic_answer>({message_start + message_start}).find("twice") !=
        std::string::npos);
  CHECK(decoded<anthropic_answer>(
            {sse("content_block_start", R"({"type":"content_block_start","index":0})")})
            .find("out of order") != std::string::npos);
  const std::string odd =
      R"({"choices":[7,{"index":0,"delta":null},{"delta":{"content":7,"tool_calls":[null,{"index":-1}]}}],"usage":[]})";
  CHECK(decoded<openai_answer>({data(odd) + data("[DONE]")}).find("failed malformed_stream") !=
        std::string::npos);
}

TEST_CASE("bytes that are no UTF-8 become replacement characters") {
  const auto broken = data("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\xE2\x82\"}}]}");
  CHECK(decoded<openai_answer>({broken}).find("text 0 a\xEF\xBF\xBD") != std::string::npos);
}

TEST_CASE("an event above the cap ends the call") {
  limits small;
  small.session.message_bytes = 1'024;
  openai_answer stream{small};
  const auto chunks = stream.feed("data: " + std::string(5'000, 'x'));
  REQUIRE(chunks.size() == 1);
  CHECK(chunks[0].failure.error_class == "too_large");
  CHECK(stream.end().empty());
}

TEST_CASE("servers that are nearly OpenAI are understood") {
  // All of a call at once, input as an object, no id, no index, `stop` where tools are meant.
  CHECK(
      decoded<openai_answer>(
          {data(
               R"({"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"finish_reason":"stop"}]})") +
           data("[DONE]")})
          .find("tool 0 call_0 f\ninput 0 {\"a\":1}\nend 0\nfinished tool_use") !=
      std::string::npos);
  // The same id for two calls.
  CHECK(
      decoded<openai_answer>(
          {data(
               R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f"}},{"index":1,"id":"c","function":{"name":"g"}}]}}]})") +
           data("[DONE]")})
          .find("tool 1 call_1 g") != std::string::npos);
}

TEST_CASE("the time to wait is read in each form that servers use") {
  const auto now = *from_iso8601("2026-01-28T14:30:00Z");
  CHECK(retry_after_of({{"retry-after", "7"}}, now) == 7'000U);
  CHECK(retry_after_of({{"retry-after", "0.5"}}, now) == 500U);
  CHECK(retry_after_of({{"retry-after-ms", "50"}, {"retry-after", "7"}}, now) == 50U);
  CHECK(retry_after_of({{"retry-after", "Wed, 28 Jan 2026 14:30:10 GMT"}}, now) == 10'000U);
  CHECK(retry_after_of({{"retry-after", "Wed, 28 Jan 2026 14:29:00 GMT"}}, now) == 0U);
  CHECK(retry_after_of({{"retry-after", "1e300"}}, now) == std::nullopt);
  CHECK(retry_after_of({{"retry-after", "99999999999999"}}, now) == 86'400'000U);
  for (const auto* odd : {"", "soon", "-1", "nan", "inf", "Wed, 28 Jan", "7 seconds"})
    CHECK_MESSAGE(!retry_after_of({{"retry-after", odd}}, now), odd);
}

#include "config/memory_sum.hpp"
#include "tools/bench/http_client.hpp"
#include "tools/bench/live_session.hpp"
#include "tools/bench/process_status.hpp"
#include "tools/bench/rows.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gasoline::bench {
namespace {

using nlohmann::json;
using connections = std::vector<std::unique_ptr<http_client>>;

constexpr double bytes_of_mib = 1024.0 * 1024.0;

/// A session that an agent elsewhere feeds; `more` are further members of its making.
std::unique_ptr<live_session> fed_session(std::uint16_t port, const json& more = json::object()) {
  json request{{"workspace_path", std::filesystem::temp_directory_path().string()},
               {"provider", "scripted"}};
  request.update(more);
  return std::make_unique<live_session>(port, request);
}

/// Bodies of requests until the buffers have evicted.
void fill_telemetry(std::uint16_t port) {
  http_client http{port};
  const std::string text(16'000, 'b');
  for (int post = 0; post < 600; ++post) {
    auto bodies = json::array();
    for (int i = 0; i < 10; ++i)
      bodies.push_back({{"url", "http://localhost:3000/api/" + std::to_string(post * 10 + i)},
                        {"method", "GET"},
                        {"status", 200},
                        {"response_body", text}});
    http.exchange(post_request("/network-bodies", json{{"bodies", bodies}}.dump()));
  }
}

void fill_streams(std::uint16_t port, const limits& cap) {
  http_client http{port};
  const auto size = cap.stream.event_bytes - 1'024;
  const auto event = json{{"data", std::string(size, 's')}}.dump();
  const auto each = cap.stream.bytes / size;
  for (std::uint64_t s = 0; s * cap.stream.bytes <= cap.stream.total_bytes; ++s) {
    const auto name = "cap" + std::to_string(s);
    http.exchange(post_request("/streams", json{{"name", name}}.dump()));
    for (std::uint64_t i = 0; i < each; ++i)
      http.exchange(post_request("/streams/" + name + "/events", event));
  }
}

/// Prompts of sessions until they are refused.
void fill_session_texts(std::uint16_t port, const limits& cap) {
  const std::string prompt(cap.session.prompt_bytes, 'p');
  while (fed_session(port, {{"system", prompt}})->made()) {
  }
}

/// Feeds an answer of that size, complete or still being written.
void feed_answer(live_session& session, std::uint64_t bytes, bool complete) {
  const json of_message{{"message_id", "m1"}};
  auto delta = of_message;
  delta.update({{"content_block_index", 0}, {"text", std::string(bytes, 'a')}});
  auto begun = of_message;
  begun["role"] = "assistant";
  auto events = json::array({event_of("turn.started", json::object()),
                             event_of("message.start", begun), event_of("text.delta", delta)});
  if (complete) {
    auto ended = of_message;
    ended.update({{"stop_reason", "end_turn"},
                  {"final_content", {{{"type", "text"}, {"text", delta["text"]}}}}});
    events.push_back(event_of("message.complete", ended));
  }
  session.post("events", {{"events", events}});
}

/// Connections that have sent all of a request but its end.
connections hold(std::uint16_t port, std::size_t count, const std::string& request) {
  connections out;
  for (std::size_t i = 0; i < count; ++i) {
    auto one = std::make_unique<http_client>(port);
    if (!one->send(request))
      break;
    out.push_back(std::move(one));
  }
  return out;
}

std::string unfinished_post(std::uint64_t bytes) {
  auto out = post_request("/logs", std::string(bytes, ' '));
  out.pop_back();
  return out;
}

std::string unfinished_head(std::uint64_t bytes) {
  return "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + std::string(bytes, 'h');
}

} // namespace

void caps_rows(const bench_plan& plan, bench_table& table) {
  raise_descriptor_limit();
  const limits cap;
  mcp_server engine{own_engine(plan.binary_dir)};
  const auto pid = engine.process().pid();
  const auto port = engine.port();
  const auto note = [&](const std::string& what) {
    table.add({"resident memory, and " + what, resident_mib(pid), "MiB", {}, {}, {}, {}, {}});
  };
  // What stays comes first; what a timeout ends comes last.
  auto answered = fed_session(port);
  feed_answer(*answered, cap.session.message_bytes / 2, true);
  std::vector<std::unique_ptr<live_session>> writing;
  for (std::uint64_t held = 0; held < cap.session.answers_bytes;
       held += cap.session.message_bytes - 1'024) {
    writing.push_back(fed_session(port));
    feed_answer(*writing.back(), cap.session.message_bytes - 1'024, false);
  }
  note("answers that are being written");
  fill_session_texts(port, cap);
  note("texts of sessions");
  fill_telemetry(port);
  note("telemetry");
  fill_streams(port, cap);
  note("named streams");
  const auto untaken = hold(port, 32, get_request(answered->route("messages")));
  note("answers that nobody takes");
  const std::size_t heads = plan.quick ? 500 : 3'500;
  const auto headed = hold(port, heads, unfinished_head(cap.http.header_bytes - 256));
  note("heads of requests");
  const auto bodies =
      hold(port, cap.http.inflight_bytes / (9ULL << 20), unfinished_post(9ULL << 20));
  table.add({"resident memory with the caps that others can reach, all at once",
             resident_mib(pid),
             "MiB",
             {},
             {},
             static_cast<double>(memory_sum(cap)) / bytes_of_mib,
             {},
             {}});
}

} // namespace gasoline::bench

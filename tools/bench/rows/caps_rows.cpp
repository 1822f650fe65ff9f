#include "config/memory_sum.hpp"
#include "tools/bench/peers/attached_peer.hpp"
#include "tools/bench/peers/http_client.hpp"
#include "tools/bench/peers/latency_series.hpp"
#include "tools/bench/peers/live_session.hpp"
#include "tools/bench/peers/mcp_http_client.hpp"
#include "tools/bench/peers/process_status.hpp"
#include "tools/bench/peers/stalled_nats.hpp"
#include "tools/bench/rows/rows.hpp"

#include <poll.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
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

/// Reads a streamed answer to its end, or for as long as the rows wait.
void take_stream(http_client& http) {
  std::string taken;
  const auto until = clock::now() + session_patience;
  while (clock::now() < until && http.drain(taken) && !taken.ends_with("0\r\n\r\n")) {
    pollfd wanted{http.descriptor(), POLLIN, 0};
    ::poll(&wanted, 1, 100);
  }
}

/// Answers over HTTP that came as streams, since part of them had to wait, and that their clients
/// may come back for: nearly all that is kept for a session, in as many as fill what is kept for
/// all.
std::vector<std::unique_ptr<mcp_http_client>> fill_mcp_events(std::uint16_t port,
                                                              const limits& cap) {
  const auto each = cap.mcp.event_bytes * 8 / 10;
  const json large{
      {"what", "network_bodies"}, {"detail", "full"}, {"limit", 1'000}, {"max_bytes", each}};
  const json waiting{{"what", "alerts"}, {"wait_seconds", 2}};
  std::vector<std::unique_ptr<mcp_http_client>> clients;
  for (std::uint64_t kept = 0; kept <= cap.mcp.event_total_bytes; kept += each / 2) {
    auto& client = *clients.emplace_back(std::make_unique<mcp_http_client>(port, "2025-03-26"));
    client.http().send(client.batch("observe", {large, waiting}));
  }
  for (const auto& client : clients)
    if (client->http().receive_head() != 0)
      take_stream(client->http());
  return clients;
}

/// Clients at the attach socket, each of which has sent all of a line but its end.
std::vector<std::unique_ptr<attached_peer>> fill_attach(const std::filesystem::path& state_dir,
                                                        const limits& cap) {
  std::vector<std::unique_ptr<attached_peer>> peers;
  const std::string line(cap.client.line_bytes - 1, ' ');
  for (std::uint64_t i = 0; i < cap.attach.clients; ++i) {
    auto peer = std::make_unique<attached_peer>(state_dir);
    if (!peer->joined() || !peer->send(line))
      break;
    peers.push_back(std::move(peer));
  }
  return peers;
}

/// Events on their way to a NATS server that has stopped to answer, until they are refused; what
/// the engine has grown by, in MiB. Nothing where there is no server.
std::optional<double> nats_growth(const bench_plan& plan, const limits& cap) {
  stalled_nats server;
  if (!server.runs())
    return std::nullopt;
  auto command = own_engine(plan.binary_dir);
  command.config["streams"] = {{"backend", "nats"}};
  command.config["nats"] = {{"url", server.url()}, {"when_lost", "wait"}};
  mcp_server engine{command};
  http_client http{engine.port()};
  const auto made = http.exchange(post_request("/streams", json{{"name", "cap"}}.dump()));
  if (made != 201)
    return std::nullopt;
  const auto before = resident_mib(engine.process().pid());
  server.stall();
  const auto size = cap.stream.event_bytes - 1'024;
  const auto event =
      post_request("/streams/cap/events", json{{"data", std::string(size, 'n')}}.dump());
  const auto waiting = hold(engine.port(), 2 * cap.nats.unacknowledged_bytes / size, event);
  ::poll(nullptr, 0, 3'000); // until all of them have arrived
  return resident_mib(engine.process().pid()) - before;
}

/// Prompts of sessions until they are refused.
void fill_session_texts(std::uint16_t port, const limits& cap) {
  const std::string prompt(cap.session.prompt_bytes, 'p');
  while (fed_session(port, {{"system", prompt}})->made()) {
  }
}

json begun_message() {
  return event_of("message.start", {{"message_id", "m1"}, {"role", "assistant"}});
}

json piece_of(std::uint64_t bytes) {
  return event_of(
      "text.delta",
      {{"message_id", "m1"}, {"content_block_index", 0}, {"text", std::string(bytes, 'a')}});
}

/// Sends the events; whether they were taken.
bool feed(live_session& session, const json& events) {
  return !session.post("events", {{"events", events}}).contains("error");
}

/// An answer of that size that is complete.
void feed_answer(live_session& session, std::uint64_t bytes) {
  const auto piece = piece_of(bytes);
  const json content{{{"type", "text"}, {"text", piece["payload"]["text"]}}};
  feed(session, json::array({event_of("turn.started", json::object()), begun_message(), piece,
                             event_of("message.complete", {{"message_id", "m1"},
                                                           {"stop_reason", "end_turn"},
                                                           {"final_content", content}})}));
}

using sessions_list = std::vector<std::unique_ptr<live_session>>;

/// Answers that are being written until they are refused: half of what may be held in one piece
/// each, the other half letter by letter.
sessions_list fill_answers(std::uint16_t port, const limits& cap) {
  const auto large = cap.session.message_bytes - 1'024;
  const auto whole =
      json::array({event_of("turn.started", json::object()), begun_message(), piece_of(large)});
  sessions_list out;
  for (std::uint64_t held = 0; held < cap.session.answers_bytes / 2; held += 2 * large)
    feed(*out.emplace_back(fed_session(port)), whole);
  const auto begun = json::array({event_of("turn.started", json::object()), begun_message()});
  const json letters(cap.session.external_events, piece_of(1));
  const auto times = cap.session.replay_events / 2 / cap.session.external_events - 1;
  for (bool taken = true; taken;) {
    taken = feed(*out.emplace_back(fed_session(port)), begun);
    for (std::uint64_t i = 0; i < times && taken; ++i)
      taken = feed(*out.back(), letters);
  }
  return out;
}

/// Turns that wait for one that an agent elsewhere has begun, until they are refused.
sessions_list fill_waiting_turns(std::uint16_t port, const limits& cap) {
  const json turn{{"content", std::string(cap.session.message_bytes - 1'024, 'w')},
                  {"when_busy", "queue"}};
  sessions_list out;
  for (bool taken = true; taken;) {
    auto& session = *out.emplace_back(fed_session(port));
    feed(session, json::array({event_of("turn.started", json::object())}));
    taken = !session.post("turns", turn).contains("error");
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
  auto command = own_engine(plan.binary_dir);
  command.config["limits"]["mcp_stream_after_ms"] = 1; // what waits is a stream, and kept
  mcp_server engine{command};
  const auto pid = engine.process().pid();
  const auto port = engine.port();
  const auto note = [&](const std::string& what) {
    table.add({"resident memory, and " + what, resident_mib(pid), "MiB"});
  };
  // What stays comes first; what a timeout ends comes last.
  auto answered = fed_session(port);
  feed_answer(*answered, cap.session.message_bytes / 2);
  const auto writing = fill_answers(port, cap);
  note("answers that are being written");
  const auto waiting = fill_waiting_turns(port, cap);
  note("turns that wait");
  fill_session_texts(port, cap);
  note("texts of sessions");
  fill_telemetry(port);
  note("telemetry");
  fill_streams(port, cap);
  note("named streams");
  const auto mcp_clients = fill_mcp_events(port, cap);
  note("events of MCP sessions that come back");
  const auto attached = fill_attach(engine.state_dir(), cap);
  note("lines of attached clients");
  const auto untaken = hold(port, 32, get_request(answered->route("messages")));
  note("answers that nobody takes");
  const std::size_t heads = plan.quick ? 500 : 3'500;
  const auto headed = hold(port, heads, unfinished_head(cap.http.header_bytes - 256));
  note("heads of requests");
  const auto bodies =
      hold(port, cap.http.inflight_bytes / (9ULL << 20), unfinished_post(9ULL << 20));
  const auto all = resident_mib(pid);
  const auto to_nats = nats_growth(plan, cap);
  if (to_nats)
    table.add({"growth of another engine by events on their way to NATS", *to_nats, "MiB"});
  else
    table.note("no nats-server, or none in this build: events on their way to NATS are not filled");
  table.add({"resident memory with the caps that others can reach, all at once",
             all + to_nats.value_or(0),
             "MiB",
             {},
             {},
             at_most(static_cast<double>(memory_sum(cap)) / bytes_of_mib)});
}

} // namespace gasoline::bench

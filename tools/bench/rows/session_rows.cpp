#include "tools/bench/peers/child_process.hpp"
#include "tools/bench/peers/latency_series.hpp"
#include "tools/bench/peers/live_session.hpp"
#include "tools/bench/peers/model_server.hpp"
#include "tools/bench/peers/paired_runs.hpp"
#include "tools/bench/peers/process_status.hpp"
#include "tools/bench/rows/rows.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gasoline::bench {
namespace {

using nlohmann::json;

constexpr std::size_t audience = 100;
constexpr std::size_t events_per_post = 500; // below the bound on a client's queue
constexpr std::size_t replayed_events = 10'000;
constexpr std::size_t idle_clients = 500;
constexpr std::string_view delta_mark = R"("type":"text.delta")";

json delta_event(std::size_t n) {
  return event_of("text.delta", {{"message_id", "msg_bench"},
                                 {"content_block_index", 0},
                                 {"text", "word " + std::to_string(n) + " "}});
}

/// Begins an external turn with a message that is being written.
void begin_external_turn(live_session& session) {
  session.post(
      "events",
      {{"events",
        {event_of("turn.started", json::object()),
         event_of("message.start",
                  {{"message_id", "msg_bench"}, {"role", "assistant"}, {"model", "bench"}})}}});
}

std::vector<std::string> posts_of(std::size_t posts, std::size_t events) {
  std::vector<std::string> out;
  for (std::size_t p = 0; p < posts; ++p) {
    auto list = json::array();
    for (std::size_t i = 0; i < events; ++i)
      list.push_back(delta_event(p * events + i));
    out.push_back(json{{"events", std::move(list)}}.dump());
  }
  return out;
}

/// Frames per second that reach the clients while these bodies are posted one after the other.
double frames_per_second(http_client& http, const std::string& route, clients_list& clients,
                         const std::vector<std::string>& bodies, std::size_t events) {
  std::size_t frames = 0;
  const auto taken = timed([&] {
    for (const auto& body : bodies) {
      http.send(post_request(route, body));
      frames += receive_frames(clients, delta_mark, events);
      http.receive();
    }
  });
  return static_cast<double>(frames) / std::chrono::duration<double>(taken).count();
}

/// How one sender serves an audience.
struct fan_out_rates {
  double single = 0;  ///< one frame a POST
  double backlog = 0; ///< many frames a POST
};

fan_out_rates measure_fan_out(std::uint16_t port, const std::string& route, clients_list& clients,
                              bool quick) {
  http_client http{port};
  const std::size_t posts = quick ? 100 : 500;
  fan_out_rates out;
  out.single = frames_per_second(http, route, clients, posts_of(posts, 1), 1);
  out.backlog = frames_per_second(http, route, clients, posts_of(posts / 25, events_per_post),
                                  events_per_post);
  return out;
}

// The rows

/// One turn whose model answers with `pieces`, one each `period`; the delays until each client has
/// the frame of a piece.
latency_series answer_latency(live_session& session, model_server& model, clients_list& clients,
                              std::size_t pieces, std::chrono::microseconds period) {
  latency_series series;
  session.post("turns", {{"content", "go"}});
  if (!model.begin_answer())
    return series;
  std::vector<clock::time_point> sent;
  std::vector<std::size_t> seen(clients.size(), 0);
  std::size_t left = pieces * clients.size();
  const auto start = clock::now();
  const auto end = start + period * static_cast<int>(pieces) + session_patience;
  while (left > 0 && clock::now() < end) {
    if (sent.size() < pieces && clock::now() >= start + period * static_cast<int>(sent.size())) {
      sent.push_back(clock::now());
      model.write_text("word ");
    }
    drain_all(clients, sent.size() < pieces ? 0 : 100, [&](std::size_t i, std::string_view frame) {
      if (!has(frame, delta_mark) || seen[i] >= sent.size())
        return;
      series.add(clock::now() - sent[seen[i]++]);
      --left;
    });
  }
  model.end_answer();
  receive_frames(clients, R"("type":"turn.completed")", 1);
  return series;
}

void latency_rows(live_session& session, model_server& model, bool quick, bench_table& table) {
  auto one = watchers(session, 1);
  answer_latency(session, model, one, 200, std::chrono::milliseconds{1}); // warms up
  const auto alone =
      answer_latency(session, model, one, quick ? 500 : 3'000, std::chrono::milliseconds{1});
  table.add({"session: model chunk -> frame, p50", alone.p50(), "us", {}, {}, at_most(150)});
  table.add({"session: model chunk -> frame, p99", alone.p99(), "us", {}, {}, at_most(2'000)});
  one.clear();
  auto many = watchers(session, audience - 1);
  const auto stalled = session.watch(); // never reads
  const auto crowd =
      answer_latency(session, model, many, quick ? 500 : 3'000, std::chrono::milliseconds{1});
  table.add({"session: 1,000 deltas/s to 100 clients, one stalled, p99", crowd.p99(), "us"});
  table.note("  " + std::to_string(crowd.size()) + " frames reached the 99 that read");
}

void replay_row(live_session& session, bench_table& table) {
  auto witness = watchers(session, 1);
  session.post("events", event_of("turn.started", json::object(), "turn_replayed"));
  std::string first;
  const auto end = clock::now() + session_patience;
  while (first.empty() && clock::now() < end)
    drain_all(witness, 100, [&](std::size_t, std::string_view frame) {
      if (has(frame, "turn.started"))
        first = json::parse(frame).at("event").at("id").get<std::string>();
    });
  for (std::size_t done = 0; done < replayed_events; done += events_per_post) {
    auto list = json::array();
    for (std::size_t i = 0; i < events_per_post; ++i)
      list.push_back(event_of("tool.called",
                              {{"tool_use_id", "tool_" + std::to_string(done + i)},
                               {"tool_name", "observe"},
                               {"input", json::object()}},
                              "turn_replayed"));
    session.post("events", {{"events", std::move(list)}});
    receive_frames(witness, "tool.called", events_per_post);
  }
  witness.clear();
  std::size_t came = 0;
  const auto taken = timed([&] {
    clients_list late;
    late.push_back(session.watch(first));
    came = receive_frames(late, "tool.called", replayed_events);
  });
  session.post("events", event_of("turn.completed", json::object(), "turn_replayed"));
  table.add({"session: replay of 10,000 events",
             std::chrono::duration<double, std::milli>(taken).count(),
             "ms",
             {},
             "",
             at_most(300)});
  if (came != replayed_events)
    table.note("  only " + std::to_string(came) + " events came");
}

void idle_row(live_session& session, pid_t pid, bench_table& table) {
  { const auto warm = watchers(session, 50); }
  const auto before = resident_mib(pid);
  const auto idle = watchers(session, idle_clients);
  const auto each = (resident_mib(pid) - before) * 1024 / static_cast<double>(idle.size());
  table.add({"session: memory of an idle client", each, "KiB", {}, {}, at_most(32)});
}

clients_list relay_clients(std::uint16_t port) {
  clients_list out;
  for (std::size_t i = 0; i < audience; ++i)
    out.push_back(std::make_unique<websocket_client>(port, "/"));
  return out;
}

/// What Node's `ws` does of the same; nothing without its command.
std::optional<fan_out_rates> relay_rates(const bench_plan& plan) {
  if (plan.relay.empty())
    return std::nullopt;
  child_process relay{plan.relay};
  const auto port = static_cast<std::uint16_t>(std::atoi(relay.read_line().value_or("0").c_str()));
  auto audience_of_relay = relay_clients(port);
  return measure_fan_out(port, "/", audience_of_relay, plan.quick);
}

void fan_out_rows(live_session& session, const mcp_server& engine, const bench_plan& plan,
                  bench_table& table) {
  paired_runs single;
  paired_runs backlog;
  for (int run = 0; run < (plan.relay.empty() ? 1 : paired_run_count); ++run) {
    begin_external_turn(session);
    auto clients = watchers(session, audience);
    const auto ours = measure_fan_out(engine.port(), session.route("events"), clients, plan.quick);
    clients.clear();
    const auto theirs = relay_rates(plan);
    single.add(ours.single, theirs ? std::optional{theirs->single} : std::nullopt);
    backlog.add(ours.backlog, theirs ? std::optional{theirs->backlog} : std::nullopt);
  }
  if (plan.relay.empty())
    table.note("  no relay to compare with; --relay \"node tools/bench/websocket_relay.mjs\" does");
  table.add({"session: fan-out to 100 clients, frame by frame", single.own(), "frames/s",
             single.other(), "ws", ratio_at_least(1.7), single.spread()});
  table.add({"session: fan-out to 100 clients, with backlog", backlog.own(), "frames/s",
             backlog.other(), "ws", ratio_at_least(5), backlog.spread()});
}

} // namespace

void session_rows(const bench_plan& plan, bench_table& table) {
  raise_descriptor_limit();
  model_server model;
  auto command = own_engine(plan.binary_dir);
  command.config["sessions"]["providers"]["openai"]["base_url"] = model.base_url();
  command.config["limits"]["http_connections"] = 2'000;
  mcp_server engine{command};
  const json request{{"workspace_path", std::filesystem::temp_directory_path().string()},
                     {"provider", "openai"},
                     {"model", "bench"}};
  live_session session{engine.port(), request};
  if (!session.made()) {
    table.note("session: the engine made none");
    return;
  }
  latency_rows(session, model, plan.quick, table);
  replay_row(session, table);
  live_session crowded{engine.port(), request};
  fan_out_rows(crowded, engine, plan, table);
  live_session quiet{engine.port(), request};
  idle_row(quiet, engine.process().pid(), table);
}

} // namespace gasoline::bench

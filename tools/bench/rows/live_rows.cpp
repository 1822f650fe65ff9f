#include "tools/bench/peers/http_client.hpp"
#include "tools/bench/peers/latency_series.hpp"
#include "tools/bench/peers/otlp_body.hpp"
#include "tools/bench/peers/paired_runs.hpp"
#include "tools/bench/rows/rows.hpp"

#include <poll.h>

#include <memory>
#include <string>
#include <thread>

namespace gasoline::bench {
namespace {

using nlohmann::json;

std::string ci_body(int n) {
  return R"({"status":"failure","source":"bench","ref":"main","commit":"c)" + std::to_string(n) +
         R"(","summary":"12 passed, 2 failed"})";
}

/// About 243 bytes, as a page sends it.
std::string log_entry(std::size_t n) {
  return R"({"ts":"2026-01-28T14:30:00.000Z","level":"info","type":"console","message":"[HMR] Updated)"
         R"( modules: ./src/app.tsx ./src/dashboard.tsx, revision )" +
         std::to_string(1'000'000 + n) +
         R"(","url":"http://localhost:3000/dashboard?tab=2","source":"app.js:120"})";
}

std::string log_body(std::size_t first, std::size_t count) {
  std::string body{R"({"entries":[)"};
  for (std::size_t i = 0; i < count; ++i)
    body += (i ? "," : "") + log_entry(first + i);
  return body + "]}";
}

json enable_arguments() {
  return {{"action", "streaming"},
          {"streaming_action", "enable"},
          {"events", {"ci"}},
          {"throttle_seconds", 1},
          {"severity_min", "info"}};
}

void pause_until(clock::time_point at) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(at - clock::now());
  if (left.count() > 0)
    ::poll(nullptr, 0, static_cast<int>(left.count()));
}

/// One program that turns a POST into a line, with a connection to it.
struct emitter {
  std::unique_ptr<mcp_server> server;   ///< an MCP server, or
  std::unique_ptr<child_process> floor; ///< the floor program
  std::unique_ptr<http_client> http;
  clock::time_point rested; ///< from then on it may notify again at once

  child_process& process() { return server ? server->process() : *floor; }
};

emitter start_floor(const bench_plan& plan) {
  emitter e;
  e.floor = std::make_unique<child_process>(
      std::vector<std::string>{(plan.binary_dir / "gasoline-floor").string()});
  const auto port = e.floor->read_line().value_or("0");
  e.http = std::make_unique<http_client>(static_cast<std::uint16_t>(std::stoi(port)));
  return e;
}

emitter start_server(const server_command& command) {
  emitter e;
  e.server = std::make_unique<mcp_server>(command);
  e.server->call("configure", enable_arguments());
  e.http = std::make_unique<http_client>(e.server->port());
  return e;
}

/// A fault that is detected, kept and offered to the client, whose filter does not want it.
std::string fault_body(int n) {
  return R"({"entries":[{"level":"error","type":"exception","message":"TypeError: cart)" +
         std::to_string(n) +
         R"( is undefined","url":"http://localhost:3000/checkout","source":"app.js:41"}]})";
}

/// Round robin, so that each engine rests longer than its throttle between two notifications.
/// Traffic as a broken page makes it goes before each sample, to both sides alike: the target is
/// for a warm engine. `n` counts the faults, which must all be different.
latency_series sample_emission(std::vector<emitter>& emitters, int rounds, int& n) {
  constexpr std::chrono::milliseconds rest{2200};
  latency_series series;
  constexpr int warming_posts = 8;
  const auto pace = rest / static_cast<int>(emitters.size());
  for (int round = 0; round < rounds; ++round)
    for (auto& e : emitters) {
      pause_until(std::max(e.rested, clock::now() + pace));
      for (int i = 0; i < warming_posts; ++i)
        e.http->exchange(post_request("/logs", fault_body(n * warming_posts + i)));
      const auto request = post_request("/ci-result", ci_body(++n));
      const auto start = clock::now();
      e.http->send(request);
      const auto line = e.process().read_line(2000);
      if (line && line->find("notifications/message") != std::string::npos)
        series.add(clock::now() - start);
      e.http->receive();
      e.rested = clock::now() + rest;
    }
  return series;
}

/// One POST with that many entries, which begin with that number.
using make_post = std::string (*)(std::size_t first, std::size_t count);

std::string logs_post(std::size_t first, std::size_t count) {
  return post_request("/logs", log_body(first, count));
}

std::string otlp_post(std::size_t first, std::size_t count) {
  return post_request("/v1/logs", otlp_log_body(first, count), "application/x-protobuf");
}

/// Keeps `connections` keep-alive connections busy for `seconds` with POSTs of `entries`; answers
/// accepted entries per second.
double ingest_rate(std::uint16_t port, std::size_t connections, double seconds,
                   make_post make = logs_post, std::size_t entries = entries_per_post) {
  std::vector<std::size_t> accepted(connections);
  std::vector<std::thread> threads;
  const auto start = clock::now();
  const auto end =
      start + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
  for (std::size_t c = 0; c < connections; ++c)
    threads.emplace_back([&accepted, c, port, end, make, entries] {
      http_client http{port};
      const auto request = make(c * 1000, entries);
      while (http.connected() && clock::now() < end && http.exchange(request) == 200)
        accepted[c] += entries;
    });
  for (auto& t : threads)
    t.join();
  const auto taken = std::chrono::duration<double>(clock::now() - start).count();
  std::size_t total = 0;
  for (const auto n : accepted)
    total += n;
  return static_cast<double>(total) / taken;
}

latency_series call_latency(mcp_server& server, const std::string& tool, const json& arguments,
                            int calls) {
  latency_series series;
  for (int i = 0; i < calls; ++i) {
    const auto line = server.call_line(tool, arguments);
    series.add(timed([&] { server.exchange(line); }));
  }
  return series;
}

} // namespace

latency_series ping_latency(mcp_server& server, int calls, std::chrono::milliseconds pause) {
  latency_series series;
  const std::string line = "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n";
  for (int i = 0; i < calls; ++i) {
    series.add(timed([&] { server.exchange(line); }));
    std::this_thread::sleep_for(pause);
  }
  return series;
}

void fill_buffers(std::uint16_t port) {
  http_client http{port};
  for (std::size_t i = 0; i < 20'000; i += entries_per_post)
    http.exchange(post_request("/logs", log_body(i, entries_per_post)));
  std::string errors{R"({"entries":[)"};
  for (int i = 0; i < 500; ++i)
    errors += std::string{i ? "," : ""} +
              R"({"level":"error","type":"console","message":"request )" + std::to_string(i) +
              R"( failed: upstream answered slowly","url":"http://localhost:3000/a"})";
  errors += "]}";
  for (int i = 0; i < 10; ++i)
    http.exchange(post_request("/logs", errors));
  const std::string text(8'000, 'b');
  for (int i = 0; i < 2'000; i += 10) {
    std::string bodies{R"({"bodies":[)"};
    for (int k = 0; k < 10; ++k)
      bodies += std::string{k ? "," : ""} + R"({"url":"http://localhost:3000/api/)" +
                std::to_string(i + k) + R"(","method":"GET","status":200,"response_body":")" +
                text + "\"}";
    http.exchange(post_request("/network-bodies", bodies + "]}"));
  }
}

void emission_rows(const bench_plan& plan, bench_table& table) {
  const std::size_t count = plan.quick ? 8 : 20;
  const int rounds = plan.quick ? 1 : 2; // in each run
  std::vector<emitter> floors;
  std::vector<emitter> engines;
  for (std::size_t i = 0; i < count; ++i) {
    floors.push_back(start_floor(plan));
    engines.push_back(start_server(own_engine(plan.binary_dir)));
  }
  paired_runs p50;
  paired_runs p99;
  std::size_t came = 0;
  int n = 0;
  for (int run = 0; run < paired_run_count; ++run) {
    const auto floor = sample_emission(floors, rounds, n);
    const auto own = sample_emission(engines, rounds, n);
    came += own.size();
    p50.add(own.p50(), floor.p50());
    p99.add(own.p99(), floor.p99());
  }
  table.add({"POST -> notification readable, p50", p50.own(), "us", p50.other(), "us floor",
             ratio_at_most(2.5), p50.spread()});
  table.add({"POST -> notification readable, p99", p99.own(), "us", p99.other(), "us floor",
             at_most(1000.0), p99.spread()});
  const auto sent = count * static_cast<std::size_t>(rounds * paired_run_count);
  if (came < sent)
    table.note(std::to_string(came) + " of " + std::to_string(sent) + " notifications came");
  if (!plan.peer)
    return;
  std::vector<emitter> peers;
  peers.push_back(start_server(*plan.peer));
  const auto theirs = sample_emission(peers, 3, n);
  table.note("peer: " + std::to_string(theirs.size()) + " of 3 notifications came" +
             (theirs.size() > 0 ? ", p50 " + std::to_string(theirs.p50()) + " us" : ""));
}

void tool_call_rows(const bench_plan& plan, bench_table& table) {
  const int calls = plan.quick ? 300 : 3000;
  mcp_server engine{own_engine(plan.binary_dir)};
  fill_buffers(engine.port());
  engine.call("observe", {{"what", "errors"}});
  const auto ping = ping_latency(engine, calls, {});
  std::optional<mcp_server> peer;
  if (plan.peer)
    peer.emplace(*plan.peer);
  paired_runs p50;
  paired_runs p99;
  for (int run = 0; run < paired_run_count; ++run) {
    const auto errors =
        call_latency(engine, "observe", {{"what", "errors"}}, calls / paired_run_count);
    std::optional<latency_series> theirs;
    if (peer)
      theirs = call_latency(*peer, "observe", {{"what", "errors"}}, 40);
    p50.add(errors.p50(), theirs ? std::optional{theirs->p50()} : std::nullopt);
    p99.add(errors.p99(), theirs ? std::optional{theirs->p99()} : std::nullopt);
  }
  const auto logs = call_latency(engine, "observe", {{"what", "logs"}}, calls);
  const auto filtered =
      call_latency(engine, "observe",
                   {{"what", "logs"}, {"url", "dashboard"}, {"min_level", "info"}}, calls / 10);
  const auto status = call_latency(
      engine, "configure", {{"action", "streaming"}, {"streaming_action", "status"}}, calls);
  table.add({"ping over stdio, p50", ping.p50(), "us"});
  table.add({"observe errors over stdio, full buffers, p50", p50.own(), "us", p50.other(),
             "us peer", at_most(200.0), p50.spread()});
  table.add({"observe errors over stdio, full buffers, p99", p99.own(), "us", p99.other(),
             "us peer", at_most(1000.0), p99.spread()});
  table.add({"observe logs over stdio, full buffers, p50", logs.p50(), "us", ping.p50(), "us ping",
             at_most(200.0)});
  table.add({"observe logs with filters over 20,000 entries, p50", filtered.p50(), "us"});
  table.add({"configure streaming status, p99", status.p99(), "us", {}, "", at_most(1000.0)});
}

void startup_rows(const bench_plan& plan, bench_table& table) {
  paired_runs runs;
  for (int run = 0; run < (plan.quick ? paired_run_count : 21); ++run) {
    const auto own = startup_milliseconds(own_engine(plan.binary_dir));
    runs.add(own, plan.peer ? std::optional{startup_milliseconds(*plan.peer)} : std::nullopt);
  }
  table.add({"exec -> initialize answered, p50", runs.own(), "ms", runs.other(), "ms peer",
             at_most(15.0), runs.spread()});
}

void ingest_rows(const bench_plan& plan, bench_table& table) {
  const double seconds = plan.quick ? 1 : 4;
  mcp_server engine{own_engine(plan.binary_dir)};
  std::optional<mcp_server> peer;
  if (plan.peer)
    peer.emplace(*plan.peer);
  ingest_rate(engine.port(), 4, 0.5);
  paired_runs runs;
  for (int run = 0; run < paired_run_count; ++run) {
    const auto own = ingest_rate(engine.port(), 4, seconds / paired_run_count);
    runs.add(own, peer ? std::optional{ingest_rate(peer->port(), 4, seconds / paired_run_count)}
                       : std::nullopt);
  }
  table.add({"ingest, 50 entries of 250 B per POST, 4 connections", runs.own(), "entries/s",
             runs.other(), "entries/s peer", at_least(500'000.0), runs.spread()});
  constexpr std::size_t sdk_batch = 512; // what SDKs send at most
  for (const auto entries : {entries_per_post, sdk_batch}) {
    paired_runs otlp;
    for (int run = 0; run < paired_run_count; ++run) {
      const auto own =
          ingest_rate(engine.port(), 4, seconds / paired_run_count, otlp_post, entries);
      otlp.add(own, ingest_rate(engine.port(), 4, seconds / paired_run_count, logs_post, entries));
    }
    table.add({"OTLP logs in protobuf, " + std::to_string(entries) + " records per POST",
               otlp.own(), "records/s", otlp.other(), "entries/s on /logs", ratio_at_least(2),
               otlp.spread()});
  }
  latency_series ci;
  http_client http{engine.port()};
  for (int i = 0; i < (plan.quick ? 200 : 2000); ++i) {
    const auto request = post_request("/ci-result", ci_body(i));
    ci.add(timed([&] { http.exchange(request); }));
  }
  table.add({"POST /ci-result answered, p99", ci.p99(), "us", {}, "", at_most(1000.0)});
}

} // namespace gasoline::bench

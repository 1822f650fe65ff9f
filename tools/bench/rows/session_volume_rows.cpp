#include "tools/bench/peers/latency_series.hpp"
#include "tools/bench/peers/live_session.hpp"
#include "tools/bench/peers/process_status.hpp"
#include "tools/bench/rows/rows.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gasoline::bench {
namespace {

using nlohmann::json;

constexpr std::size_t big_event_bytes = 4U << 20U;
constexpr std::size_t fast_event_bytes = 8U << 10U;
constexpr std::size_t fast_events_per_post = 10;
constexpr std::chrono::milliseconds fast_period{10}; // between those posts: 1,000 events a second

/// A subscribed client that takes what comes and counts it.
struct counting_reader {
  std::unique_ptr<websocket_client> client;
  std::uint64_t bytes = 0;
  bool gone = false;
};

std::vector<counting_reader> counting_readers(live_session& session, std::size_t count) {
  std::vector<counting_reader> out;
  for (auto& client : watchers(session, count))
    out.push_back({std::move(client), 0, false});
  return out;
}

/// Takes what has come to any of them within that time.
void count_bytes(std::vector<counting_reader>& readers, int timeout_ms) {
  static std::array<char, 1U << 18U> room;
  std::vector<pollfd> waiting;
  waiting.reserve(readers.size());
  for (const auto& r : readers)
    waiting.push_back({r.gone ? -1 : r.client->descriptor(), POLLIN, 0});
  ::poll(waiting.data(), waiting.size(), timeout_ms);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (waiting[i].revents == 0)
      continue;
    const auto n = ::recv(waiting[i].fd, room.data(), room.size(), MSG_DONTWAIT);
    if (n > 0)
      readers[i].bytes += static_cast<std::uint64_t>(n);
    else if (n == 0)
      readers[i].gone = true;
  }
}

/// How many have got that many bytes.
std::size_t served(const std::vector<counting_reader>& readers, std::uint64_t bytes) {
  return static_cast<std::size_t>(std::count_if(readers.begin(), readers.end(),
                                                [&](const auto& r) { return r.bytes >= bytes; }));
}

/// Reads until all have that many bytes or are gone.
void count_until(std::vector<counting_reader>& readers, std::uint64_t bytes) {
  const auto end = clock::now() + session_patience;
  const auto gone = [&] {
    return static_cast<std::size_t>(
        std::count_if(readers.begin(), readers.end(), [](const auto& r) { return r.gone; }));
  };
  while (served(readers, bytes) + gone() < readers.size() && clock::now() < end)
    count_bytes(readers, 100);
}

json result_event(std::size_t bytes) {
  return event_of(
      "tool.completed",
      {{"tool_use_id", "tool_bench"}, {"tool_name", "read"}, {"result", std::string(bytes, 'x')}});
}

json session_request() {
  return {{"workspace_path", std::filesystem::temp_directory_path().string()},
          {"provider", "scripted"}};
}

/// From the first byte of the event to the last that any reader has got, in ms.
double big_event_milliseconds(live_session& session, std::uint16_t port,
                              std::vector<counting_reader>& readers) {
  for (auto& r : readers)
    r.bytes = 0;
  http_client http{port};
  http.send(post_request(session.route("events"), result_event(big_event_bytes).dump()));
  const auto end = clock::now() + session_patience;
  while (served(readers, 1) == 0 && clock::now() < end)
    count_bytes(readers, 100);
  const auto start = clock::now();
  count_until(readers, big_event_bytes);
  const auto taken = clock::now() - start;
  http.receive();
  return std::chrono::duration<double, std::milli>(taken).count();
}

void big_event_row(const mcp_server& engine, pid_t pid, std::size_t count, double longest_ms,
                   bench_table& table) {
  live_session session{engine.port(), session_request()};
  session.post("events", event_of("turn.started", json::object()));
  auto readers = counting_readers(session, count);
  const auto name =
      "session: an event of 4 MB to " + std::to_string(count) + " client" + (count == 1 ? "" : "s");
  std::vector<double> runs;
  const auto memory = resident_mib(pid);
  for (int i = 0; i < 5; ++i)
    runs.push_back(big_event_milliseconds(session, engine.port(), readers));
  std::sort(runs.begin(), runs.end());
  table.add(
      {name + ", first byte to last", runs[runs.size() / 2], "ms", {}, {}, at_most(longest_ms)});
  table.add({name + ", memory", resident_mib(pid) - memory, "MiB"});
  if (served(readers, big_event_bytes) < count)
    table.note("  it did not reach every client");
}

/// 1,000 events of 8 KB a second for three seconds.
void fast_event_rows(const mcp_server& engine, bool quick, bench_table& table) {
  live_session session{engine.port(), session_request()};
  session.post("events", event_of("turn.started", json::object()));
  auto readers = counting_readers(session, 100);
  auto list = json::array();
  for (std::size_t i = 0; i < fast_events_per_post; ++i)
    list.push_back(result_event(fast_event_bytes));
  const auto body = post_request(session.route("events"), json{{"events", std::move(list)}}.dump());
  http_client http{engine.port()};
  const std::size_t posts = quick ? 100 : 300;
  const auto start = clock::now();
  for (std::size_t p = 0; p < posts; ++p) {
    http.send(body);
    const auto due = start + fast_period * static_cast<int>(p + 1);
    for (auto now = clock::now(); now < due; now = clock::now())
      count_bytes(readers, static_cast<int>(
                               std::chrono::ceil<std::chrono::milliseconds>(due - now).count()));
    http.receive();
  }
  const std::uint64_t sent = posts * fast_events_per_post * fast_event_bytes;
  count_until(readers, sent);
  const auto taken = std::chrono::duration<double>(clock::now() - start).count();
  const auto all = static_cast<double>(posts * fast_events_per_post);
  table.add({"session: 1,000 events/s of 8 KB to 100 clients, clients closed",
             static_cast<double>(readers.size() - served(readers, sent)),
             "",
             {},
             {},
             at_most(0.0)});
  table.add({"session: the same, events a second", all / taken, "/s"});
}

} // namespace

void session_volume_rows(const bench_plan& plan, bench_table& table) {
  raise_descriptor_limit();
  mcp_server engine{own_engine(plan.binary_dir)};
  const auto pid = engine.process().pid();
  big_event_row(engine, pid, 1, 20, table);
  big_event_row(engine, pid, 100, 1'000, table);
  fast_event_rows(engine, plan.quick, table);
}

} // namespace gasoline::bench

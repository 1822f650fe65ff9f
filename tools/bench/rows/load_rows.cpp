#include "tools/bench/peers/http_client.hpp"
#include "tools/bench/peers/latency_series.hpp"
#include "tools/bench/peers/mcp_http_client.hpp"
#include "tools/bench/peers/process_status.hpp"
#include "tools/bench/rows/rows.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline::bench {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds busy_period{100}; // of one busy client: ten calls a second

// More than the engine keeps for a client that does not read.
constexpr int unread_calls = 64;

/// A session with its stream of unsolicited messages open.
struct streaming_client {
  std::unique_ptr<mcp_http_client> calls;
  std::unique_ptr<http_client> stream;

  bool alive() const { return calls->alive() && stream->connected(); }
};

streaming_client open_client(std::uint16_t port) {
  streaming_client c{std::make_unique<mcp_http_client>(port), std::make_unique<http_client>(port)};
  c.calls->open_stream(*c.stream);
  return c;
}

std::vector<streaming_client> open_clients(std::uint16_t port, std::size_t count) {
  std::vector<streaming_client> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(open_client(port));
  return out;
}

std::size_t alive_of(const std::vector<streaming_client>& clients) {
  std::size_t n = 0;
  for (const auto& c : clients)
    n += c.alive() ? 1 : 0;
  return n;
}

latency_series call_latency(mcp_http_client& client, int calls) {
  latency_series series;
  const auto request = client.tool_call("observe", {{"what", "errors"}});
  for (int i = 0; i < calls; ++i)
    series.add(timed([&] { client.http().exchange(request); }));
  return series;
}

/// A client that calls a tool at a steady pace.
struct busy_caller {
  mcp_http_client* client;
  std::string request;
  clock::time_point next;
  std::optional<clock::time_point> sent; ///< while it waits for the answer
};

std::vector<busy_caller> callers_of(std::vector<streaming_client>& clients) {
  std::vector<busy_caller> out;
  out.reserve(clients.size());
  const auto start = clock::now();
  const auto apart = busy_period / static_cast<int>(clients.size() + 1);
  for (auto& c : clients)
    out.push_back({c.calls.get(), c.calls->tool_call("observe", {{"what", "errors"}}),
                   start + apart * static_cast<int>(out.size()), std::nullopt});
  return out;
}

/// Sends what is due; the time of the next one.
clock::time_point send_due(std::vector<busy_caller>& callers) {
  const auto now = clock::now();
  auto next = now + busy_period;
  for (auto& c : callers) {
    if (!c.sent && c.next <= now) {
      c.sent = clock::now();
      c.client->http().send(c.request);
      c.next += busy_period;
    }
    if (!c.sent)
      next = std::min(next, c.next);
  }
  return next;
}

void receive_answers(std::vector<busy_caller>& callers, clock::time_point until,
                     latency_series& series) {
  std::vector<pollfd> waiting;
  std::vector<busy_caller*> of;
  for (auto& c : callers)
    if (c.sent) {
      waiting.push_back({c.client->http().descriptor(), POLLIN, 0});
      of.push_back(&c);
    }
  const auto left = std::chrono::ceil<milliseconds>(until - clock::now()).count();
  ::poll(waiting.data(), waiting.size(), static_cast<int>(std::max<long>(left, 0)));
  for (std::size_t i = 0; i < waiting.size(); ++i)
    if (waiting[i].revents != 0) {
      of[i]->client->http().receive();
      series.add(clock::now() - *of[i]->sent);
      of[i]->sent.reset();
    }
}

/// Keeps them all calling for that long.
latency_series busy_latency(std::vector<streaming_client>& clients, milliseconds length) {
  latency_series series;
  auto callers = callers_of(clients);
  for (const auto end = clock::now() + length; clock::now() < end;)
    receive_answers(callers, send_due(callers), series);
  return series;
}

/// A client that asks for much and reads none of it.
streaming_client open_slow_reader(std::uint16_t port) {
  auto slow = open_client(port);
  const auto request =
      slow.calls->tool_call("observe", {{"what", "logs"}, {"limit", 1000}, {"max_bytes", 500'000}});
  for (int i = 0; i < unread_calls; ++i) {
    pollfd room{slow.calls->http().descriptor(), POLLOUT, 0};
    if (::poll(&room, 1, 0) != 1 || (room.revents & POLLOUT) == 0)
      break;
    slow.calls->http().send(request);
  }
  return slow;
}

/// How long until a POSTed alert has been told on each of the streams; nothing when one is missing.
std::optional<double> fan_out_milliseconds(std::uint16_t port,
                                           std::vector<streaming_client>& clients) {
  for (auto& c : clients)
    c.calls->call("configure", {{"action", "streaming"},
                                {"streaming_action", "enable"},
                                {"events", {"all"}},
                                {"throttle_seconds", 1}});
  http_client http{port};
  const auto start = clock::now();
  http.exchange(post_request(
      "/ci-result",
      R"({"status":"failure","source":"fan-out","ref":"main","commit":"f1","summary":"2 failed"})"));
  for (auto& c : clients) {
    std::string told;
    while (told.find("fan-out") == std::string::npos) {
      pollfd readable{c.stream->descriptor(), POLLIN, 0};
      if (::poll(&readable, 1, 5000) != 1 || !c.stream->drain(told))
        return std::nullopt;
    }
  }
  return std::chrono::duration<double, std::milli>(clock::now() - start).count();
}

void call_rows(const bench_plan& plan, std::uint16_t port, bench_table& table) {
  const int calls = plan.quick ? 300 : 3000;
  mcp_http_client client{port};
  call_latency(client, calls / 10);
  const auto alone = call_latency(client, calls);
  table.add({"observe errors over Streamable HTTP keep-alive, p50",
             alone.p50(),
             "us",
             {},
             "",
             at_most(300.0)});
  const auto idle = open_clients(port, 1000);
  const auto beside = call_latency(client, calls);
  table.add({"the same beside 1,000 idle SSE clients, p50", beside.p50(), "us", alone.p50(),
             "us alone", ratio_at_most(1.2)});
  if (const auto n = alive_of(idle); n < idle.size())
    table.note(std::to_string(n) + " of 1000 idle clients are connected");
}

void busy_rows(const bench_plan& plan, std::uint16_t port, bench_table& table) {
  const milliseconds length{plan.quick ? 1000 : 5000};
  const auto idle = open_clients(port, 1000);
  auto busy = open_clients(port, 100);
  busy_latency(busy, length / 5);
  const auto before = busy_latency(busy, length);
  table.add({"observe errors of 100 busy clients beside 1,000 idle ones, p99", before.p99(), "us",
             before.p50(), "us p50"});
  const auto slow = open_slow_reader(port);
  const auto with_slow = busy_latency(busy, length);
  table.add({"the same with one slow reader among them, p99", with_slow.p99(), "us", before.p99(),
             "us without", ratio_at_most(1.2)});
  if (const auto told = fan_out_milliseconds(port, busy))
    table.add({"POST -> alert on 100 SSE streams, the last", *told, "ms"});
  else
    table.note("an alert did not come on each of 100 SSE streams");
}

/// Connects and leaves, each time in another way.
void visit(std::uint16_t port, int n) {
  if (n % 5 == 0) { // refused
    http_client http{port};
    http.exchange("GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    return;
  }
  if (n % 5 == 1) { // reset in the middle of a request
    http_client http{port};
    http.reset_at_end();
    http.send("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{");
    return;
  }
  mcp_http_client client{port};
  std::optional<http_client> stream;
  if (n % 5 == 2) {
    stream.emplace(port);
    client.open_stream(*stream);
    stream->reset_at_end();
  }
  client.end();
}

std::size_t sessions_of(std::uint16_t port) {
  http_client http{port};
  http.exchange(get_request("/health"));
  const auto health = json::parse(http.body(), nullptr, false);
  const auto clients = health.find("clients");
  return clients == health.end() ? 0 : clients->size();
}

void visit_rows(const bench_plan& plan, bench_table& table) {
  const int visits = plan.quick ? 1000 : 10'000;
  mcp_server engine{own_engine(plan.binary_dir)};
  const auto pid = engine.process().pid();
  for (int i = 0; i < visits / 10; ++i)
    visit(engine.port(), i);
  ::poll(nullptr, 0, 1000);
  const auto descriptors = open_descriptors(pid);
  const auto sessions = sessions_of(engine.port());
  const auto memory = resident_mib(pid);
  const auto start = clock::now();
  for (int i = 0; i < visits; ++i)
    visit(engine.port(), i);
  const auto taken = std::chrono::duration<double>(clock::now() - start).count();
  ::poll(nullptr, 0, 1000);
  const auto name = " left by " + std::to_string(visits) + " connects, resets and deletes";
  const auto left = [](std::size_t now, std::size_t before) {
    return static_cast<double>(now) - static_cast<double>(before);
  };
  // Asking for the sessions opens a descriptor.
  table.add(
      {"descriptors" + name, left(open_descriptors(pid), descriptors), "", {}, "", at_most(0.0)});
  table.add(
      {"sessions" + name, left(sessions_of(engine.port()), sessions), "", {}, "", at_most(0.0)});
  table.add({"memory" + name, resident_mib(pid) - memory, "MiB", memory, "MiB", at_most(4.0)});
  table.add({"connects, resets and deletes", visits / taken, "per s"});
}

} // namespace

void load_rows(const bench_plan& plan, bench_table& table) {
  raise_descriptor_limit();
  {
    mcp_server engine{own_engine(plan.binary_dir)};
    fill_buffers(engine.port());
    call_rows(plan, engine.port(), table);
  }
  {
    mcp_server engine{own_engine(plan.binary_dir)};
    fill_buffers(engine.port());
    busy_rows(plan, engine.port(), table);
  }
  visit_rows(plan, table);
}

} // namespace gasoline::bench

#include "actors/alerts/alert_log.hpp"
#include "actors/alerts/alert_synthesis.hpp"
#include "actors/alerts/shown_ledger.hpp"
#include "actors/base/exception_guard.hpp"
#include "actors/engine.hpp"
#include "actors/engine_composition.hpp"
#include "actors/push/push_throttle.hpp"
#include "messages/alerts/alert_json.hpp"
#include "messages/base/spawned_alone.hpp"
#include "tools/bench/peers/latency_series.hpp"
#include "tools/bench/rows/rows.hpp"
#include "tools/replay/virtual_system.hpp"
#include "transport/json_rpc.hpp"

#include <malloc.h>

#include <memory>

namespace gasoline::bench {
namespace {

using nlohmann::json;

std::string log_body(std::size_t first, std::string_view level) {
  std::string body{R"({"entries":[)"};
  for (std::size_t i = 0; i < entries_per_post; ++i)
    body +=
        std::string{i ? "," : ""} + R"({"level":")" + std::string{level} +
        R"(","type":"console","message":"[HMR] Updated modules: ./src/app.tsx ./src/d.tsx, )"
        "revision " +
        std::to_string(first + i) +
        R"(","url":"http://localhost:3000/dashboard?tab=2","source":"app.js:120",)"
        R"("ts":"2026-01-28T14:30:00.000Z","detail":"nothing that needs a second look at all"})";
  return body + "]}";
}

/// What @sentry/node sends of one error: 12 frames with their source, breadcrumbs, contexts.
std::string sentry_body(std::size_t n) {
  std::string frames;
  for (int i = 0; i < 12; ++i)
    frames += std::string{i ? "," : ""} + R"({"filename":"/srv/shop/src/orders)" +
              std::to_string(i) + R"(.js","module":"orders","function":"load","lineno":)" +
              std::to_string(10 + i) +
              R"(,"colno":7,"in_app":true,"context_line":"  return rows.map((row) => row.id);",)"
              R"("pre_context":["function load(rows) {","  if (!rows) return [];"],)"
              R"("post_context":["}","","module.exports = { load };"]})";
  std::string crumbs;
  for (std::size_t i = n; i < n + 10; ++i)
    crumbs += std::string{i > n ? "," : ""} + R"({"category":"query","level":"info","message":)" +
              "\"select * from orders where id = " + std::to_string(i) + "\"}";
  return "{\"sdk\":{\"name\":\"sentry.javascript.node\",\"version\":\"11.12.0\"}}\n"
         "{\"type\":\"event\"}\n" +
         std::string{R"({"level":"info","platform":"node","release":"shop@1.2.3",)"} +
         R"("exception":{"values":[{"type":"RangeError","value":"order )" + std::to_string(n) +
         R"( failed","mechanism":{"type":"generic","handled":true},"stacktrace":{"frames":[)" +
         frames + R"(]}}]},"breadcrumbs":[)" + crumbs +
         R"(],"contexts":{"trace":{"trace_id":"02cd2db5c41f42e68ad749b4fd7d840b"}}})";
}

struct silent_writer_state {
  static inline const char* name = "silent_writer";
};

message_writer::behavior_type
silent_writer(message_writer::stateful_pointer<silent_writer_state> self, spawned_alone) {
  guard_exceptions(self);
  return {
      [](write_atom, const rpc_text&) {},
      [](write_atom, const outgoing_ptr&) {},
      [](join_atom, const congestion_sink&) {},
      [self](closed_atom) { self->quit(); },
  };
}

/// A whole engine without threads, as replays use it.
class engine_under_test {
 public:
  explicit engine_under_test(settings config) {
    engine_ = system_.own(system_.sys.spawn(
        engine, compose_engine(std::move(config), [](mono_time) { return wall_time{}; })));
    ingest_ = *system_.ask<ingest_actor>(engine_, query_atom_v);
  }

  ~engine_under_test() {
    caf::anon_send_exit(engine_, caf::exit_reason::user_shutdown);
    system_.settle();
  }

  engine_under_test(const engine_under_test&) = delete;
  engine_under_test& operator=(const engine_under_test&) = delete;

  void post(std::string body, std::string_view format = "logs") {
    auto request = std::make_shared<ingest_request>();
    request->format = format;
    request->body = std::move(body);
    request->reply = [](const ingest_answer&) {};
    caf::anon_send(ingest_, ingest_atom_v, std::move(request));
    system_.settle();
  }

  void attach_streaming_client() {
    auto writer = system_.own(system_.sys.spawn(silent_writer, spawned_alone{}));
    auto session = *system_.ask<client_actor>(engine_, attach_atom_v, writer,
                                              client_origin{client_transport::bench});
    for (
        const auto* line :
        {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})",
         R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"configure","arguments":)"
         R"({"action":"streaming","streaming_action":"enable"}}})"})
      caf::anon_send(session, receive_atom_v,
                     std::make_shared<const rpc_frame>(decode_rpc(line, limits{})));
    system_.settle();
  }

  /// Nanoseconds per entry over `posts` POSTs.
  double cost_per_event(int posts, std::string_view level) {
    std::vector<std::string> bodies;
    bodies.reserve(static_cast<std::size_t>(posts));
    for (int i = 0; i < posts; ++i)
      bodies.push_back(log_body(static_cast<std::size_t>(i) * entries_per_post, level));
    const auto taken = timed([&] {
      for (auto& body : bodies)
        post(std::move(body));
    });
    return std::chrono::duration<double, std::nano>(taken).count() /
           static_cast<double>(static_cast<std::size_t>(posts) * entries_per_post);
  }

 private:
  virtual_system system_;
  engine_actor engine_;
  ingest_actor ingest_;
};

settings with_rules(int count) {
  settings config;
  for (int i = 0; i < count; ++i)
    config.redaction_rules.push_back(
        {"rule-" + std::to_string(i), "TCK" + std::to_string(i) + "-[0-9]{6}"});
  return config;
}

void curve_rows(int posts, bench_table& table) {
  engine_under_test base{settings{}};
  base.cost_per_event(posts / 4 + 1, "info");
  const auto empty = base.cost_per_event(posts, "info");
  table.add({"cost per event, buffers empty", empty, "ns"});
  for (int i = 0; i < 400; ++i)
    base.post(log_body(static_cast<std::size_t>(i) * entries_per_post, "info"));
  table.add({"cost per event, buffers full", base.cost_per_event(posts, "info"), "ns", empty,
             "ns empty", ratio_at_most(1.5)});
  for (const int rules : {50, 100}) {
    engine_under_test engine{with_rules(rules)};
    engine.cost_per_event(posts / 4 + 1, "info");
    table.add({"cost per event, " + std::to_string(rules) + " redaction rules of the user's",
               engine.cost_per_event(posts, "info"), "ns", empty, "ns without",
               ratio_at_most(1.5)});
  }
  engine_under_test crowd{settings{}};
  int attached = 0;
  double one_client = 0;
  for (const int clients : {1, 10, 100}) {
    while (attached < clients) {
      crowd.attach_streaming_client();
      ++attached;
    }
    const auto cost = crowd.cost_per_event(posts, "error");
    if (clients == 1)
      one_client = cost;
    table.add({"cost per error event, streaming clients: " + std::to_string(clients), cost, "ns",
               one_client, "ns with one", ratio_at_most(1.5)});
  }
}

alert sample_alert(std::uint64_t n) {
  alert a;
  a.id = n;
  a.level = severity::error;
  a.category = alert_category::anomaly;
  a.kind = alert_topic::network_errors;
  a.title = redacted(literal{"Server error: POST /api/users/"}, n, literal{" -> 500"});
  a.detail = redacted(literal{"Request failed with Internal Server Error after 234 ms"});
  a.source = literal{"anomaly_detector"};
  a.dedup_key = redacted(literal{"POST:/api/"}, n, literal{":500"});
  a.url = literal{"http://localhost:3000/api/users"};
  a.context = alert_context{redacted(literal{"POST"}), a.url, 500, 234, {}};
  return a;
}

template <class Work>
double mean_microseconds(int times, Work work) {
  const auto taken = timed([&] {
    for (int i = 0; i < times; ++i)
      work(i);
  });
  return std::chrono::duration<double, std::micro>(taken).count() / times;
}

void notification_rows(bench_table& table) {
  const std::vector<merged_alert> one{merged_alert{std::make_shared<const alert>(sample_alert(1))}};
  std::size_t bytes = 0;
  table.add(
      {"serialization of a notification",
       mean_microseconds(20'000, [&](int) { bytes += notification_text(one, limits{}).size(); }),
       "us",
       {},
       "",
       at_most(50.0)});
}

void drain_rows(bench_table& table) {
  double total = 0;
  constexpr int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    alert_log log{limits{}};
    shown_ledger ledger;
    for (std::uint64_t i = 1; i <= 50; ++i)
      log.append(std::make_shared<const alert>(sample_alert(i)));
    total += std::chrono::duration<double, std::micro>(timed([&] {
               const auto unread = log.all();
               const auto told = synthesise(unread, limits{});
               for (const auto& m : unread)
                 if (told.left.empty() && !ledger.is_read(1, m.id))
                   ledger.note_shown(1, m, shown_channel::block, {});
             })).count();
  }
  table.add({"drain of 50 alerts", total / rounds, "us", {}, "", at_most(200.0)});
}

/// Bytes that the heap grew by while one client's streaming state was driven to its caps.
void state_rows(bench_table& table) {
  const auto before = ::mallinfo2().uordblks;
  const limits limit;
  auto throttle = std::make_unique<push_throttle>(limit);
  push_config config;
  config.enabled = true;
  const mono_time start{};
  throttle->enable(config, start);
  for (std::uint64_t i = 1; i <= 2 * limit.push.dedup_entries; ++i)
    throttle->offer(std::make_shared<const alert>(sample_alert(i)),
                    start + std::chrono::milliseconds{i});
  const auto grown = static_cast<double>(::mallinfo2().uordblks - before) / 1000;
  table.add({"one client's streaming state at its caps", grown, "KB", {}, "", at_most(500.0)});
}

/// Events that raise no alert, so that it is the way of an event alone.
void sentry_rows(int posts, bench_table& table) {
  engine_under_test engine{settings{}};
  std::vector<std::string> bodies;
  for (int i = 0; i < posts; ++i)
    bodies.push_back(sentry_body(static_cast<std::size_t>(i)));
  const auto taken = timed([&] {
    for (auto& body : bodies)
      engine.post(std::move(body), "sentry");
  });
  table.add({"Sentry envelopes with one event, decoded, redacted and stored",
             posts / std::chrono::duration<double>(taken).count(),
             "events/s",
             {},
             "",
             at_least(20'000.0)});
}

} // namespace

void in_process_rows(const bench_plan& plan, bench_table& table) {
  curve_rows(plan.quick ? 100 : 1000, table);
  sentry_rows(plan.quick ? 2'000 : 20'000, table);
  notification_rows(table);
  drain_rows(table);
  state_rows(table);
}

} // namespace gasoline::bench

#include "actors/detection/anomaly_detector.hpp"
#include "actors/detection/ci_monitor.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/detection/performance_monitor.hpp"
#include "actors/noise/noise_filter.hpp"
#include "messages/base/spawned_alone.hpp"
#include "tests/unit/support/alert_probe.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace gasoline;
using namespace gasoline::test;

namespace {

using batches = std::shared_ptr<std::vector<event_batch_ptr>>;

health_part no_health() {
  return std::make_shared<const nlohmann::json>(nlohmann::json::object());
}

event_sink spawn_sink(virtual_system& vs, const batches& seen) {
  return vs.own(vs.sys.spawn(
      [seen](event_sink::pointer, spawned_alone) -> event_sink::behavior_type {
        return {
            [](health_atom) { return no_health(); },
            [seen](batch_atom, const event_batch_ptr& batch) { seen->push_back(batch); },
        };
      },
      spawned_alone{}));
}

telemetry_store_actor spawn_store(virtual_system& vs, const batches& seen) {
  return vs.own(vs.sys.spawn(
      [seen](telemetry_store_actor::pointer,
             spawned_alone) -> telemetry_store_actor::behavior_type {
        return {
            [](health_atom) { return no_health(); },
            [seen](batch_atom, const event_batch_ptr& batch) { seen->push_back(batch); },
            [](query_atom, const store_query&) { return store_page{}; },
            [](query_atom) { return event_snapshot_ptr{}; },
            [](counts_atom) { return data_counts{}; },
            [](join_atom, const pressure_sink&) {},
            [](watch_atom, const change_sink&, watched_part) {},
            [](tick_atom) {},
        };
      },
      spawned_alone{}));
}

recorder_actor spawn_recorder(virtual_system& vs, const batches& seen) {
  return vs.own(vs.sys.spawn(
      [seen](recorder_actor::pointer, spawned_alone) -> recorder_actor::behavior_type {
        return {
            [](health_atom) { return no_health(); },
            [](record_atom, const record_step&) {},
            [seen](record_atom, const event_batch_ptr& batch) { seen->push_back(batch); },
        };
      },
      spawned_alone{}));
}

batches none() {
  return std::make_shared<std::vector<event_batch_ptr>>();
}

struct noise_filter_fixture {
  explicit noise_filter_fixture(bool recording = false) : probe(vs) {
    noise_filter_targets targets;
    targets.store = spawn_store(vs, store);
    targets.detectors = {{spawn_sink(vs, anomaly), anomaly_kinds},
                         {spawn_sink(vs, performance), performance_kinds},
                         {spawn_sink(vs, ci), ci_kinds}};
    targets.hub = probe.hub;
    if (recording)
      targets.recorder = spawn_recorder(vs, recorded);
    filter = vs.own(vs.sys.spawn(noise_filter, targets, fixed_clock(), limits{}));
  }

  void post(std::vector<event> events, ticket_ptr ticket = {}) {
    auto batch = std::make_shared<redacted_batch>();
    batch->ticket = std::move(ticket);
    for (auto& e : events)
      batch->events.push_back(std::make_shared<event>(std::move(e)));
    caf::anon_send(filter, batch_atom_v, redacted_batch_ptr{std::move(batch)});
    vs.settle();
  }

  command_answer command(noise_command c) {
    const auto answer = vs.ask<command_answer>(filter, noise_atom_v, std::move(c));
    REQUIRE(answer);
    return *answer;
  }

  nlohmann::json obey(noise_command c) {
    const auto answer = command(std::move(c));
    REQUIRE_FALSE(answer.is_error);
    return nlohmann::json::parse(answer.text);
  }

  virtual_system vs;
  alert_probe probe;
  batches store = none();
  batches anomaly = none();
  batches performance = none();
  batches ci = none();
  batches recorded = none();
  noise_filter_actor filter;
};

noise_command doing(noise_action action) {
  noise_command c;
  c.action = action;
  return c;
}

noise_command adding(std::string pattern) {
  auto c = doing(noise_action::add);
  c.pattern = std::move(pattern);
  c.reason = "chatty";
  c.added_by = "editor";
  return c;
}

event of_kind(telemetry_kind kind) {
  event e;
  e.kind = kind;
  return e;
}

} // namespace

TEST_CASE("batches reach the store and the detectors they concern") {
  noise_filter_fixture f;
  f.post({of_kind(telemetry_kind::log)});
  f.post({of_kind(telemetry_kind::body)});
  f.post({of_kind(telemetry_kind::request)});
  f.post({of_kind(telemetry_kind::socket)});
  CHECK(f.anomaly->size() == 4);
  f.post({of_kind(telemetry_kind::action)});
  f.post({of_kind(telemetry_kind::load)});
  f.post({of_kind(telemetry_kind::ci)});
  CHECK(f.store->size() == 7);
  CHECK(f.anomaly->size() == 4);
  CHECK(f.performance->size() == 2); // requests of services carry their time
  CHECK(f.ci->size() == 1);
}

TEST_CASE("web vitals among log entries reach the performance monitor") {
  noise_filter_fixture f;
  f.post({of_kind(telemetry_kind::load), of_kind(telemetry_kind::log)});
  CHECK(f.performance->size() == 1);
  CHECK(f.anomaly->size() == 1);
  CHECK(f.store->size() == 1);
}

TEST_CASE("events are numbered over all sources and marked") {
  noise_filter_fixture f;
  f.post({console_event(log_level::info, "a"), exception_event("Script error.", "")});
  f.post({close_event("ws://localhost:5173/?token=x", 1006)});
  REQUIRE(f.store->size() == 2);
  const auto& first = (*f.store)[0]->events;
  CHECK(first[0]->sequence == 1);
  CHECK(first[0]->noise == noise_mark::none);
  CHECK(first[1]->sequence == 2);
  CHECK(first[1]->noise == noise_mark::hint);
  CHECK((*f.store)[1]->events[0]->sequence == 3);
  CHECK((*f.store)[1]->events[0]->noise == noise_mark::noise);
  const auto health = f.vs.ask<health_part>(f.filter, health_atom_v);
  REQUIRE(health);
  CHECK((**health)["noise"]["events"] == 3);
  CHECK((**health)["noise"]["marked"] == 1);
  CHECK((**health)["noise"]["hints"] == 1);
  CHECK((**health)["noise"]["self_test"] == "passed");
}

TEST_CASE("an error carries the key of its fault, and nothing else carries one") {
  noise_filter_fixture f;
  const auto error = exception_event("Uncaught TypeError: x is not a function", "");
  f.post({console_event(log_level::info, "a"), error});
  const auto& passed = f.store->front()->events;
  CHECK(passed[0]->fault.empty());
  CHECK(passed[1]->fault == error_key(error, limits{}.alert.key_bytes));
  CHECK(passed[1]->fault.view() == "error:TypeError: x is not a function");
}

TEST_CASE("the recorder gets each batch when there is one") {
  noise_filter_fixture f{true};
  f.post({console_event(log_level::info, "a")});
  CHECK(f.recorded->size() == 1);
}

TEST_CASE("the ticket travels with the batch") {
  noise_filter_fixture f;
  bool done = false;
  f.post({console_event(log_level::info, "a")},
         std::make_shared<const ingest_ticket>([&] { done = true; }));
  CHECK_FALSE(done); // the sinks of this test keep their batches
  f.store->clear();
  f.anomaly->clear();
  CHECK(done);
}

TEST_CASE("rules are added, listed with hits, removed and reset") {
  noise_filter_fixture f;
  CHECK(f.command(adding("^ping")).text ==
        R"({"hides":"what matches from now on, uncaught errors and 5xx included",)"
        R"("rule_id":"rule_1","status":"added"})");
  const auto again = f.obey(adding("^ping"));
  CHECK(again["status"] == "exists");
  CHECK(again["rule_id"] == "rule_1");
  f.post({console_event(log_level::info, "ping 1"), console_event(log_level::info, "other"),
          request_event("GET", "/favicon.ico", 404)});
  const auto list = f.obey(doing(noise_action::list));
  REQUIRE(list["rules"].size() == 1);
  CHECK(list["rules"][0]["rule_id"] == "rule_1");
  CHECK(list["rules"][0]["hits"] == 1);
  CHECK(list["rules"][0]["added_by"] == "editor");
  CHECK(list["rules"][0]["reason"] == "chatty");
  CHECK(list["builtin"].size() == builtin_noise_count);
  CHECK(list["marked"] == 2);
  for (const auto& b : list["builtin"])
    CHECK(b["hits"] == (b["rule_id"] == "builtin_favicon" ? 1 : 0));

  auto remove = doing(noise_action::remove);
  remove.rule_id = "rule_7";
  const auto refused = f.command(remove);
  CHECK(refused.is_error);
  CHECK(refused.text.find("rule_1") != std::string::npos);
  remove.rule_id = "rule_1";
  CHECK(f.obey(remove)["status"] == "removed");
  f.obey(adding("x"));
  CHECK(f.obey(doing(noise_action::reset))["removed"] == 1);
}

TEST_CASE("a bad pattern is refused with a sentence") {
  noise_filter_fixture f;
  const auto answer = f.command(adding("("));
  CHECK(answer.is_error);
  CHECK(answer.text.find("does not compile") != std::string::npos);
}

TEST_CASE("auto-detect adds rules for repeats and tells once") {
  noise_filter_fixture f;
  const auto nothing = f.obey(doing(noise_action::auto_detect));
  CHECK(nothing["added"] == 0);
  CHECK(nothing.contains("note"));
  CHECK(f.probe.take().empty());

  std::vector<event> events(20, console_event(log_level::info, "poll 17 done"));
  events.resize(40, console_event(log_level::warn, "slow frame"));
  events.resize(60, exception_event("boom", ""));
  events.resize(80, console_event(log_level::error, "database down"));
  events.resize(100, request_event("GET", "http://localhost:3000/health", 200));
  f.post(std::move(events));
  const auto found = f.obey(doing(noise_action::auto_detect));
  CHECK(found["status"] == "detected");
  CHECK(found["added"] == 3);
  CHECK(found["rules"].size() == 3);
  const auto alerts = f.probe.take();
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() == "Noise auto-detect: 3 new rules");
  CHECK(alerts[0].detail.str().find("20 x poll <n> done") != std::string::npos);
  CHECK(alerts[0].level == severity::info);
  CHECK(alerts[0].category == alert_category::noise);
  CHECK(alerts[0].kind == alert_topic::none);

  f.store->clear();
  f.post({console_event(log_level::info, "poll 99 done"), exception_event("boom", ""),
          request_event("GET", "http://localhost:3000/health", 500)});
  const auto& events_after = (*f.store)[0]->events;
  CHECK(events_after[0]->noise == noise_mark::noise);
  CHECK(events_after[1]->noise == noise_mark::none);
  CHECK(events_after[2]->noise == noise_mark::none);
  CHECK(f.obey(doing(noise_action::list))["rules"][0]["added_by"] == "auto_detect");
  CHECK(f.obey(doing(noise_action::auto_detect))["added"] == 0);
  CHECK(f.probe.take().empty());
}

#include "actors/detection/ci_monitor.hpp"
#include "tests/unit/support/alert_probe.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;
using namespace gasoline::test;

namespace {

ci_result run(ci_status status, literal commit) {
  ci_result r;
  r.status = status;
  r.source = literal{"github-actions"};
  r.ref = literal{"main"};
  r.commit = commit;
  return r;
}

event ci_event(ci_result r) {
  event e;
  e.kind = telemetry_kind::ci;
  e.at = *from_iso8601("2026-01-28T14:29:59.500Z");
  e.ci = std::make_shared<const ci_result>(std::move(r));
  return e;
}

struct ci_monitor_fixture {
  ci_monitor_fixture()
      : probe(vs), monitor(vs.own(vs.sys.spawn(ci_monitor, probe.hub, fixed_clock(), limits{}))) {}

  std::vector<alert> post(ci_result r) {
    caf::anon_send(monitor, batch_atom_v, batch_of({ci_event(std::move(r))}));
    vs.settle();
    return probe.take();
  }

  nlohmann::json list() {
    const auto answer = vs.ask<json_document>(monitor, list_atom_v);
    REQUIRE(answer);
    return **answer;
  }

  virtual_system vs;
  alert_probe probe;
  ci_monitor_actor monitor;
};

} // namespace

TEST_CASE("a failure is an error with what failed") {
  ci_monitor_fixture f;
  auto r = run(ci_status::failure, "abc123");
  r.summary = literal{"12 tests passed, 2 failed"};
  r.failures = {{literal{"test_login"}, literal{"Expected 200, got 401"}},
                {literal{"test_cart"}, redacted_text{}}};
  r.failure_count = 2;
  r.url = literal{"https://ci.test/runs/123"};
  const auto alerts = f.post(r);
  REQUIRE(alerts.size() == 1);
  const auto& a = alerts[0];
  CHECK(a.title.str() == "CI failure (github-actions, main)");
  CHECK(a.detail.str() == "12 tests passed, 2 failed\n"
                          "Failed: test_login: Expected 200, got 401; test_cart\n"
                          "ref main, commit abc123\nhttps://ci.test/runs/123");
  CHECK(a.level == severity::error);
  CHECK(a.category == alert_category::ci);
  CHECK(a.kind == alert_topic::ci);
  CHECK(a.source.str() == "ci_webhook");
  CHECK(a.dedup_key.str() == "ci:github-actions:abc123:https://ci.test/runs/123:failure");
  CHECK(a.url.str() == "https://ci.test/runs/123");
}

TEST_CASE("ten thousand failures are cut with their count") {
  ci_monitor_fixture f;
  auto r = run(ci_status::failure, "abc123");
  for (int i = 0; i < 10; ++i)
    r.failures.push_back({redacted(literal{"t"}, i), redacted_text{}});
  r.failure_count = 10'000;
  const auto alerts = f.post(r);
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].detail.str().find("t9 and 9990 more\nref main") != std::string::npos);
  CHECK(f.list()[0]["failure_count"] == 10'000);
}

TEST_CASE("long texts leave room for the rest") {
  ci_monitor_fixture f;
  auto r = run(ci_status::error, "abc123");
  redacted_text lengthy;
  for (int i = 0; i < 2000; ++i)
    lengthy += "word ";
  r.summary = lengthy;
  for (int i = 0; i < 10; ++i)
    r.failures.push_back({lengthy, lengthy});
  r.failure_count = 10;
  const auto alerts = f.post(r);
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() == "CI error (github-actions, main)");
  CHECK(alerts[0].detail.size() <= limits{}.alert.detail_bytes);
  CHECK(alerts[0].detail.str().find(" more\nref main, commit abc123") != std::string::npos);
}

TEST_CASE("the same result raises no second alert, a later success is a recovery") {
  ci_monitor_fixture f;
  CHECK(f.post(run(ci_status::failure, "a")).size() == 1);
  const auto again = f.post(run(ci_status::failure, "a"));
  REQUIRE(again.size() == 1);
  CHECK(again[0].update);
  const auto alerts = f.post(run(ci_status::success, "b"));
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() == "CI recovered (github-actions, main)");
  CHECK(alerts[0].level == severity::info);
  CHECK(alerts[0].ends.str() == "ci:github-actions:a:failure");
  CHECK(alerts[0].dedup_key == ending_key(alerts[0].ends));
  const auto next = f.post(run(ci_status::success, "c"));
  REQUIRE(next.size() == 1);
  CHECK(next[0].title.str() == "CI success (github-actions, main)");
  CHECK(next[0].level == severity::info);
}

TEST_CASE("the word as it was sent is told where it says more") {
  ci_monitor_fixture f;
  auto r = run(ci_status::failure, "a");
  r.word = literal{"timed_out"};
  r.job = literal{"unit tests"};
  auto alerts = f.post(r);
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() == "CI failure: timed_out (github-actions, main, unit tests)");
  CHECK(f.list()[0]["word"] == "timed_out");
  CHECK(f.list()[0]["job"] == "unit tests");
  r = run(ci_status::unknown, "b");
  r.word = literal{"banana"};
  alerts = f.post(r);
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() ==
        "CI result 'banana', a word that is not known (github-actions, main)");
  CHECK(alerts[0].level == severity::warning);
  CHECK(f.post(run(ci_status::skipped, "c")).empty());
  CHECK(f.post(run(ci_status::running, "d")).empty());
  alerts = f.post(run(ci_status::cancelled, "e"));
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].level == severity::warning);
}

TEST_CASE("the listing is newest first") {
  ci_monitor_fixture f;
  CHECK(f.list() == nlohmann::json::array());
  auto r = run(ci_status::failure, "a");
  r.failures = {{literal{"test_login"}, literal{"no"}}};
  r.failure_count = 1;
  r.duration_ms = 45'000;
  f.post(r);
  f.post(run(ci_status::success, "b"));
  const auto list = f.list();
  REQUIRE(list.size() == 2);
  CHECK(list[0]["status"] == "success");
  CHECK(list[0]["commit"] == "b");
  CHECK_FALSE(list[0].contains("duration_ms"));
  CHECK(list[1]["failures"][0]["name"] == "test_login");
  CHECK(list[1]["failures"][0]["message"] == "no");
  CHECK(list[1]["duration_ms"] == 45'000);
  CHECK(list[1]["timestamp"] == "2026-01-28T14:29:59.500Z");
}

TEST_CASE("other events are ignored, health counts") {
  ci_monitor_fixture f;
  event log;
  caf::anon_send(f.monitor, batch_atom_v, batch_of({log}));
  f.post(run(ci_status::failure, "a"));
  f.post(run(ci_status::success, "b"));
  const auto health = f.vs.ask<health_part>(f.monitor, health_atom_v);
  REQUIRE(health);
  CHECK((**health)["ci"]["received"] == 2);
  CHECK((**health)["ci"]["failed"] == 1);
}

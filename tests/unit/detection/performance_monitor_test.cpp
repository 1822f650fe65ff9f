#include "actors/detection/performance_monitor.hpp"
#include "tests/unit/support/alert_probe.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace gasoline::test;

namespace {

event load_event(literal url, page_metric metric, double value) {
  page_metrics m;
  m[metric] = value;
  event e;
  e.kind = telemetry_kind::load;
  e.url = url;
  e.metrics = std::make_shared<const page_metrics>(m);
  return e;
}

struct performance_monitor_fixture {
  explicit performance_monitor_fixture(std::vector<performance_budget> budgets = {})
      : probe(vs),
        monitor(vs.own(vs.sys.spawn(performance_monitor, probe.hub, fixed_clock(),
                                    std::move(budgets), limits{}))) {}

  std::vector<alert> post(std::vector<event> events) {
    caf::anon_send(monitor, batch_atom_v, batch_of(std::move(events)));
    vs.settle();
    return probe.take();
  }

  virtual_system vs;
  alert_probe probe;
  performance_monitor_actor monitor;
};

constexpr literal checkout = "http://localhost:3000/checkout?step=2";

} // namespace

TEST_CASE("a regression names metric, numbers and page") {
  performance_monitor_fixture f;
  const auto base = load_event(checkout, page_metric::lcp, 1200);
  CHECK(f.post({base, base, base, base}).empty());
  const auto first = f.post({load_event(checkout, page_metric::lcp, 1820)});
  REQUIRE(first.size() == 1);
  CHECK(first[0].level == severity::info);
  CHECK(first[0].detail.view().find("may be chance") != std::string_view::npos);
  const auto alerts = f.post({load_event(checkout, page_metric::lcp, 1820)});
  REQUIRE(alerts.size() == 1);
  const auto& a = alerts[0];
  CHECK(a.title.str() == "LCP regressed by 620 ms (1200 -> 1820 ms) on /checkout");
  CHECK(a.detail.str() ==
        "52 % worse than the baseline of 1200 ms; page http://localhost:3000/checkout");
  CHECK(a.category == alert_category::regression);
  CHECK(a.kind == alert_topic::performance);
  CHECK(a.level == severity::warning);
  CHECK(a.source.str() == "performance_monitor");
  CHECK(a.dedup_key.str() == "regression:/checkout:load");
  CHECK(a.url.str() == checkout.view());
}

TEST_CASE("pages of other origins and queries") {
  performance_monitor_fixture f;
  const auto base = load_event("http://a.test/x?1", page_metric::lcp, 1000);
  f.post({base, base});
  CHECK(f.post({load_event("http://b.test/x", page_metric::lcp, 3000)}).empty());
  CHECK(f.post({load_event("http://a.test/x?2", page_metric::lcp, 3000)}).size() == 1);
}

TEST_CASE("a path alone belongs to the page's origin") {
  performance_monitor_fixture f;
  auto e = load_event("/x", page_metric::cls, 0.05);
  e.page = literal{"http://a.test/x"};
  f.post({e, e});
  const auto alerts = f.post({load_event("http://a.test/x", page_metric::cls, 0.2)});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() == "CLS regressed by 0.15 (0.05 -> 0.2) on /x");
}

TEST_CASE("one alert for one load, led by the metric that explains the others") {
  performance_monitor_fixture f;
  page_metrics m;
  m[page_metric::ttfb] = 60;
  m[page_metric::fcp] = 100;
  m[page_metric::lcp] = 120;
  m[page_metric::load] = 150;
  auto e = load_event("http://a.test/", page_metric::lcp, 1);
  const auto post = [&] {
    e.metrics = std::make_shared<const page_metrics>(m);
    return f.post({e});
  };
  for (int i = 0; i < 5; ++i)
    CHECK(post().empty());
  m[page_metric::ttfb] = 1100;
  m[page_metric::fcp] = 1150;
  m[page_metric::lcp] = 1200;
  m[page_metric::load] = 1250;
  auto alerts = post();
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].level == severity::info);
  alerts = post();
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].level == severity::warning);
  CHECK(alerts[0].title.str().substr(0, 25) == "TTFB regressed by 1040 ms");
  CHECK(alerts[0].dedup_key.str() == "regression:a.test/:load");
  REQUIRE(alerts[0].also.size() == 3);
  CHECK(alerts[0].also[1].str() == "LCP regressed by 1080 ms (120 -> 1200 ms)");
}

TEST_CASE("what a later report of a load adds is evidence, not an alert") {
  performance_monitor_fixture f;
  auto base = load_event(checkout, page_metric::lcp, 1000);
  f.post({base, base});
  base = load_event(checkout, page_metric::cls, 0);
  f.post({base, base});
  auto e = load_event(checkout, page_metric::lcp, 3000);
  e.name = literal{"v3"};
  CHECK(f.post({e}).size() == 1);
  e = load_event(checkout, page_metric::cls, 0.2);
  e.name = literal{"v3"};
  const auto alerts = f.post({e});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].update);
  CHECK(alerts[0].also.size() == 1);
}

TEST_CASE("soft navigations say what they were compared with") {
  performance_monitor_fixture f;
  page_metrics m;
  m.kind = navigation_kind::soft;
  m[page_metric::lcp] = 80;
  auto e = load_event(checkout, page_metric::lcp, 1);
  e.metrics = std::make_shared<const page_metrics>(m);
  f.post({e, e, e});
  m[page_metric::lcp] = 700;
  e.metrics = std::make_shared<const page_metrics>(m);
  const auto alerts = f.post({e});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].detail.view().find("80 ms of soft navigations") != std::string_view::npos);
  CHECK(alerts[0].dedup_key.str() == "regression:/checkout:load:soft");
}

TEST_CASE("budgets") {
  performance_monitor_fixture f{{{"lcp", "/checkout", 2500}, {"cls", "", 0.1}}};
  CHECK(f.post({load_event(checkout, page_metric::lcp, 2500)}).empty());
  CHECK(f.post({load_event("http://localhost:3000/cart", page_metric::lcp, 9000)}).empty());
  auto alerts = f.post({load_event(checkout, page_metric::lcp, 3100)});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() == "LCP 3100 ms is over the budget of 2500 ms on /checkout");
  CHECK(alerts[0].category == alert_category::threshold);
  CHECK(alerts[0].kind == alert_topic::performance);
  CHECK(alerts[0].dedup_key.str() == "budget:/checkout:lcp");
  alerts = f.post({load_event("http://localhost:3000/cart", page_metric::cls, 0.3)});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.str() == "CLS 0.3 is over the budget of 0.1 on /cart");
}

TEST_CASE("other events and loads without metrics are ignored, huge values stay readable") {
  performance_monitor_fixture f;
  event log;
  event empty;
  empty.kind = telemetry_kind::load;
  CHECK(f.post({log, empty}).empty());
  const auto base = load_event(checkout, page_metric::load, 1000);
  f.post({base, base});
  const auto alerts = f.post({load_event(checkout, page_metric::load, 1e300)});
  REQUIRE(alerts.size() == 1);
  CHECK(alerts[0].title.size() <= limits{}.alert.title_bytes);
  const auto health = f.vs.ask<health_part>(f.monitor, health_atom_v);
  REQUIRE(health);
  CHECK((**health)["performance"]["samples"] == 3);
  CHECK((**health)["performance"]["regressions"] == 1);
}

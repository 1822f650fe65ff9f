#include "actors/alerts/alert_synthesis.hpp"
#include "tests/unit/support/alert_samples.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <set>
#include <string>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

merged_alert raised_at(alert a, std::chrono::milliseconds when) {
  a.raised = at(when);
  a.at = sample_wall_time() + when;
  return merged_alert{share(std::move(a))};
}

alert of_category(std::uint64_t id, alert_category category, severity level) {
  auto a = error_alert(id);
  a.category = category;
  a.level = level;
  return a;
}

json array_of(const alert_block& block) {
  return json::parse(block.text.substr(block.text.find("\n[") + 1));
}

std::vector<std::string> lines_above_array(const alert_block& block) {
  std::vector<std::string> out;
  std::string rest = block.text;
  while (rest[0] != '[') {
    out.push_back(rest.substr(0, rest.find('\n')));
    rest = rest.substr(rest.find('\n') + 1);
  }
  return out;
}

} // namespace

TEST_CASE("no unread alerts give no block") {
  const auto s = synthesise({}, limits{});
  CHECK(s.block.text.empty());
  CHECK(s.left.empty());
}

TEST_CASE("three alerts: a header, no summary, then the array") {
  const auto s = synthesise(
      {raised_at(error_alert(1), 0s), raised_at(error_alert(2), 1s), raised_at(error_alert(3), 2s)},
      limits{});
  CHECK(s.block.text.rfind("--- ALERTS (3) ---\n[{", 0) == 0);
  CHECK(s.block.shown == 3);
  CHECK(s.block.left == 0);
  const auto a = array_of(s.block);
  REQUIRE(a.size() == 3);
  CHECK(a[0].at("id") == "alert_3");
  CHECK(a[0].at("severity") == "error");
  CHECK(a[0].at("category") == "anomaly");
  CHECK(a[0].at("title") == "TypeError: x is undefined #3");
  CHECK(a[0].at("detail") == "at render (app.js:10)");
  CHECK(a[0].at("timestamp") == "2026-01-28T14:30:02.000Z");
  CHECK(a[0].at("source") == "anomaly_detector");
  CHECK(a[0].at("count") == 1);
}

TEST_CASE("errors come before warnings before infos, newer before older") {
  const auto s = synthesise({raised_at(with_level(error_alert(1), severity::info), 9s),
                             raised_at(error_alert(2), 1s), raised_at(error_alert(3), 2s),
                             raised_at(with_level(error_alert(4), severity::warning), 5s)},
                            limits{});
  const auto a = array_of(s.block);
  CHECK(a[0].at("id") == "alert_3");
  CHECK(a[1].at("id") == "alert_2");
  CHECK(a[2].at("id") == "alert_4");
  CHECK(a[3].at("id") == "alert_1");
}

TEST_CASE("more than three alerts start with a summary line") {
  const auto s = synthesise({raised_at(regression_alert(1), 0s), raised_at(error_alert(2), 20s),
                             raised_at(error_alert(3), 30s),
                             raised_at(of_category(4, alert_category::ci, severity::error), 40s)},
                            limits{});
  const auto lines = lines_above_array(s.block);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "--- ALERTS (4) ---");
  CHECK(lines[1] == "4 alerts: 1 regression, 2 anomalies, 1 CI failure");
}

TEST_CASE("the summary names every category in singular and plural") {
  std::vector<situation> all;
  const auto add = [&](alert_category c, severity level) {
    all.push_back({merged_alert{share(of_category(1, c, level))}, {1}});
  };
  add(alert_category::regression, severity::warning);
  add(alert_category::regression, severity::warning);
  add(alert_category::anomaly, severity::error);
  add(alert_category::ci, severity::info);
  add(alert_category::ci, severity::error);
  add(alert_category::ci, severity::error);
  add(alert_category::threshold, severity::warning);
  add(alert_category::noise, severity::info);
  CHECK(summary_line(all, all.size()) ==
        "8 alerts: 2 regressions, 1 anomaly, 2 CI failures, 1 CI result, 1 threshold breach, "
        "1 noise notice");
}

TEST_CASE("a regression and an anomaly 4.9 s apart become one, at 5.1 s they do not") {
  const auto apart = [](std::chrono::milliseconds d) {
    return correlate({raised_at(regression_alert(1), 10s), raised_at(error_alert(2), 10s + d)},
                     limits{});
  };
  CHECK(apart(4'900ms).size() == 1);
  CHECK(apart(-4'900ms).size() == 1);
  CHECK(apart(5'000ms).size() == 1);
  CHECK(apart(5'100ms).size() == 2);
  CHECK(apart(-5'100ms).size() == 2);
}

TEST_CASE("a compound alert has both titles, both details and the higher severity") {
  auto spike = error_alert(2);
  spike.page_data = true;
  const auto s = synthesise({raised_at(regression_alert(1), 0s), raised_at(spike, 3s)}, limits{});
  const auto a = array_of(s.block);
  REQUIRE(a.size() == 1);
  CHECK(a[0].at("category") == "regression");
  CHECK(a[0].at("severity") == "error");
  CHECK(a[0].at("title") ==
        "Correlated: LCP regressed 50% on /home + TypeError: x is undefined #2");
  CHECK(a[0].at("detail") == "2000 ms, now 3000 ms\nat render (app.js:10)");
  CHECK(a[0].at("timestamp") == "2026-01-28T14:30:03.000Z");
  CHECK(a[0].at("source") == "performance_monitor + anomaly_detector");
  CHECK(a[0].at("count") == 2);
  CHECK(a[0].at("page_data") == true);
  CHECK(s.left.empty());
}

TEST_CASE("long titles of a compound alert are both still there") {
  auto r = regression_alert(1);
  auto e = error_alert(2);
  redacted_text long_title;
  for (int i = 0; i < 60; ++i)
    long_title += "abc ";
  r.title = redacted(literal{"LCP "}, long_title);
  e.title = redacted(literal{"TypeError "}, long_title);
  const auto all = correlate({raised_at(r, 0s), raised_at(e, 1s)}, limits{});
  REQUIRE(all.size() == 1);
  const auto& title = all[0].shown.shown->title.str();
  CHECK(title.size() <= limits{}.alert.title_bytes);
  CHECK(title.rfind("Correlated: LCP abc", 0) == 0);
  CHECK(title.find("… + TypeError abc") != std::string::npos);
}

TEST_CASE("each regression takes the nearest anomaly, each anomaly joins once") {
  const auto all = correlate({raised_at(regression_alert(1), 10s), raised_at(error_alert(2), 8s),
                              raised_at(error_alert(3), 11s), raised_at(error_alert(4), 14s)},
                             limits{});
  REQUIRE(all.size() == 3);
  std::size_t compounds = 0;
  for (const auto& s : all) {
    if (s.ids.size() == 1)
      continue;
    ++compounds;
    CHECK(s.ids == std::vector<std::uint64_t>{1, 3});
  }
  CHECK(compounds == 1);
}

TEST_CASE("two regressions do not join each other, nor does a CI result join anything") {
  CHECK(correlate({raised_at(regression_alert(1), 0s), raised_at(regression_alert(2), 1s),
                   raised_at(of_category(3, alert_category::ci, severity::error), 1s)},
                  limits{})
            .size() == 3);
}

TEST_CASE("a merged entry correlates through its first or its newest occurrence") {
  auto merged = raised_at(error_alert(2), 0s);
  auto again = error_alert(2);
  again.raised = at(60s);
  merged.merge(share(again));
  CHECK(correlate({raised_at(regression_alert(1), 2s), merged}, limits{}).size() == 1);
  CHECK(correlate({raised_at(regression_alert(1), 62s), merged}, limits{}).size() == 1);
  CHECK(correlate({raised_at(regression_alert(1), 30s), merged}, limits{}).size() == 2);
}

TEST_CASE("details are cut first, and the block stays within its cap") {
  const limits limit;
  std::vector<merged_alert> unread;
  for (std::uint64_t i = 1; i <= 40; ++i) {
    auto a = network_alert(i, literal{"https://app.example.test/api/users?page=1"});
    redacted_text detail;
    for (int k = 0; k < 300; ++k)
      detail += "\"a\"\n";
    a.detail = detail;
    unread.push_back(raised_at(a, std::chrono::seconds{i * 10}));
  }
  const auto s = synthesise(unread, limit);
  CHECK(s.block.text.size() <= limit.alert.block_bytes);
  CHECK(s.block.shown == 40);
  CHECK(s.left.empty());
  CHECK(array_of(s.block).size() == 40);
}

TEST_CASE("few alerts with long details use the room there is") {
  const limits limit;
  std::vector<merged_alert> unread;
  for (std::uint64_t i = 1; i <= 12; ++i) {
    auto a = error_alert(i);
    redacted_text detail;
    for (int k = 0; k < 100; ++k)
      detail += "0123456789";
    a.detail = detail;
    unread.push_back(raised_at(a, std::chrono::seconds{i * 10}));
  }
  const auto s = synthesise(unread, limit);
  CHECK(s.block.text.size() <= limit.alert.block_bytes);
  CHECK(s.block.text.size() > limit.alert.block_bytes * 9 / 10);
  for (const auto& a : array_of(s.block))
    CHECK(a.at("detail").get<std::string>().size() > 400);
}

TEST_CASE("what does not fit stays unread and is named before the array") {
  const limits limit;
  std::vector<merged_alert> unread;
  for (std::uint64_t i = 1; i <= 50; ++i) {
    auto a = i % 2 == 0 ? error_alert(i) : with_level(error_alert(i), severity::warning);
    redacted_text title;
    for (int k = 0; k < 19; ++k)
      title += "0123456789";
    a.title = title;
    unread.push_back(raised_at(a, std::chrono::seconds{i * 10}));
  }
  const auto s = synthesise(unread, limit);
  CHECK(s.block.text.size() <= limit.alert.block_bytes);
  CHECK(s.block.shown + s.block.left == 50);
  CHECK(s.block.left > 0);
  CHECK(s.left.size() == s.block.left);
  const auto lines = lines_above_array(s.block);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "--- ALERTS (" + std::to_string(s.block.shown) + ") ---");
  CHECK(lines[2] ==
        std::to_string(s.block.left) + " more unread, call observe {\"what\":\"alerts\"}");
  std::set<std::uint64_t> left{s.left.begin(), s.left.end()};
  CHECK(left.count(1) == 1);
  CHECK(left.count(50) == 0);
}

TEST_CASE("a cap below one alert tells how many wait") {
  limits limit;
  limit.alert.block_bytes = 100;
  const auto s = synthesise({raised_at(error_alert(1), 0s)}, limit);
  CHECK(s.block.shown == 0);
  CHECK(s.block.left == 1);
  CHECK(s.block.text ==
        "--- ALERTS (0) ---\n1 more unread, call observe {\"what\":\"alerts\"}\n[]");
  CHECK(s.left == std::vector<std::uint64_t>{1});
}

TEST_CASE("60 equal alerts give a block under 4 KB") {
  auto merged = raised_at(error_alert(1), 0s);
  for (int i = 0; i < 59; ++i)
    merged.merge(share(error_alert(1)));
  const auto s = synthesise({merged}, limits{});
  CHECK(s.block.text.size() < 4'096);
  CHECK(array_of(s.block)[0].at("count") == 60);
}

TEST_CASE("entries of one key are told as one, an older one of which another client had read") {
  const auto s =
      synthesise({raised_at(error_alert(1), 1s), raised_at(error_alert(1), 20s)}, limits{});
  CHECK(s.block.shown == 1);
  CHECK(s.block.text.find("\"count\":2") != std::string::npos);
}

TEST_CASE("one slow load is joined with an error of its moment, and with nothing of other hosts") {
  const auto slow = with_level(regression_alert(1), severity::info);
  CHECK(correlate({raised_at(slow, 1s), raised_at(error_alert(2), 1s)}, limits{}).size() == 1);
  auto page = regression_alert(1);
  page.url = literal{"http://shop.test/cart"};
  auto refused = with_level(error_alert(2), severity::warning);
  refused.kind = alert_topic::network_errors;
  refused.url = literal{"https://cdn.other.test/x.png"};
  CHECK(correlate({raised_at(page, 1s), raised_at(refused, 1s)}, limits{}).size() == 2);
  refused.url = literal{"http://shop.test/api"};
  CHECK(correlate({raised_at(page, 1s), raised_at(refused, 1s)}, limits{}).size() == 1);
  auto elsewhere = error_alert(2);
  elsewhere.page = literal{"http://other.test/"};
  CHECK(correlate({raised_at(page, 1s), raised_at(elsewhere, 1s)}, limits{}).size() == 2);
}

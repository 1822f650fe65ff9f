#include "actors/detection/page_baseline.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace gasoline;

namespace {

page_metrics only(page_metric metric, double value) {
  page_metrics m;
  m[metric] = value;
  return m;
}

std::vector<regression> lcp(page_baseline& b, double value, std::string_view load = {}) {
  return b.add("http://a.test/", load, only(page_metric::lcp, value)).found;
}

page_metrics of_kind(navigation_kind kind, page_metrics m) {
  m.kind = kind;
  return m;
}

} // namespace

TEST_CASE("exactly 20 % worse is no regression, more is") {
  page_baseline b{limits{}};
  CHECK(lcp(b, 2000).empty());
  CHECK(lcp(b, 2000).empty());
  SUBCASE("2400") {
    CHECK(lcp(b, 2400).empty());
  }
  SUBCASE("2401") {
    const auto found = lcp(b, 2401);
    REQUIRE(found.size() == 1);
    CHECK(found[0].metric == page_metric::lcp);
    CHECK(found[0].baseline == doctest::Approx(2000));
    CHECK(found[0].value == doctest::Approx(2401));
    CHECK(found[0].level == severity::warning);
  }
}

TEST_CASE("nothing under 50 ms, nothing under two deviations of the page's own spread") {
  page_baseline b{limits{}};
  lcp(b, 100);
  lcp(b, 100);
  CHECK(lcp(b, 149).empty());
  CHECK(lcp(b, 180).size() == 1);
  page_baseline jittery{limits{}};
  for (const double v : {500.0, 900.0, 500.0, 900.0})
    CHECK(lcp(jittery, v).empty());
  CHECK(lcp(jittery, 1000).empty()); // 700 and twice 200
  CHECK(lcp(jittery, 1500).size() == 1);
}

TEST_CASE("while the spread is unknown, a load that loses no more than usual may be chance") {
  const auto first = [](page_metric metric, double base, double value) {
    page_baseline b{limits{}};
    b.add("p", {}, only(metric, base));
    b.add("p", {}, only(metric, base));
    return b.add("p", {}, only(metric, value)).found.at(0).level;
  };
  CHECK(first(page_metric::lcp, 600, 800) == severity::info);
  CHECK(first(page_metric::lcp, 2000, 2600) == severity::warning);
  CHECK(first(page_metric::inp, 100, 180) == severity::info);
  CHECK(first(page_metric::ttfb, 60, 1100) == severity::warning);
  page_baseline known{limits{}};
  for (int i = 0; i < 4; ++i)
    lcp(known, 2000);
  CHECK(lcp(known, 2600).at(0).level == severity::info);
  CHECK(lcp(known, 2600).at(0).level == severity::warning);
}

TEST_CASE("one slow load of seven is chance, and the page's spread learns of it") {
  page_baseline b{limits{}};
  std::size_t told = 0;
  for (int i = 0; i < 70; ++i)
    for (const auto& r : lcp(b, i % 7 == 3 ? 800 : 600)) {
      CHECK(r.level == severity::info);
      ++told;
    }
  CHECK(told <= 3);
}

TEST_CASE("each kind of navigation has its own baseline") {
  page_baseline b{limits{}};
  const auto add = [&](navigation_kind kind, double value) {
    return b.add("p", {}, of_kind(kind, only(page_metric::lcp, value))).found;
  };
  for (int i = 0; i < 4; ++i)
    CHECK(add(navigation_kind::load, 2000).empty());
  for (int i = 0; i < 5; ++i)
    CHECK(add(navigation_kind::soft, 80).empty());
  for (int i = 0; i < 5; ++i)
    CHECK(add(navigation_kind::prerendered, 10).empty());
  CHECK(add(navigation_kind::load, 2000).empty());
  const auto slow = add(navigation_kind::soft, 900);
  REQUIRE(slow.size() == 1);
  CHECK(slow[0].baseline == doctest::Approx(80));
}

TEST_CASE("0 is a value for INP and TTFB of soft navigations") {
  page_baseline b{limits{}};
  const auto soft = [&](page_metric metric, double value) {
    return b.add("p", {}, of_kind(navigation_kind::soft, only(metric, value))).found;
  };
  for (const auto metric : {page_metric::inp, page_metric::ttfb}) {
    CHECK(soft(metric, 0).empty());
    CHECK(soft(metric, 0).empty());
    CHECK(soft(metric, 300).size() == 1);
  }
}

TEST_CASE("what a page measures after a hot update says nothing of INP, CLS and LCP") {
  page_baseline b{limits{}};
  page_metrics m;
  m[page_metric::lcp] = 600;
  m[page_metric::inp] = 40;
  m[page_metric::cls] = 0;
  b.add("p", "v1", m);
  b.add("p", "v2", m);
  m[page_metric::lcp] = 2700;
  m[page_metric::inp] = 400;
  m[page_metric::cls] = 0.4;
  m.hot_updates = 2;
  CHECK(b.add("p", "v3", m).found.empty());
  m.hot_updates = 0;
  CHECK(b.add("p", "v4", m).found.size() == 3);
}

TEST_CASE("one sample is not enough") {
  page_baseline b{limits{}};
  CHECK(lcp(b, 1000).empty());
  CHECK(lcp(b, 9000).empty());
}

TEST_CASE("the mean of four samples, then four fifths of the old") {
  page_baseline b{limits{}};
  for (const double v : {1000.0, 1100.0, 1050.0, 1050.0})
    CHECK(lcp(b, v).empty());
  CHECK(lcp(b, 1250).empty()); // mean 1050 becomes 1090
  const auto found = lcp(b, 1400);
  REQUIRE(found.size() == 1);
  CHECK(found[0].baseline == doctest::Approx(1090));
}

TEST_CASE("a regressed sample does not move the baseline, five in a row make a new one") {
  page_baseline b{limits{}};
  lcp(b, 1000);
  lcp(b, 1000);
  for (int i = 0; i < 5; ++i) {
    const auto found = lcp(b, 2000);
    REQUIRE(found.size() == 1);
    CHECK(found[0].baseline == doctest::Approx(1000));
  }
  CHECK(lcp(b, 2000).empty());
  CHECK(lcp(b, 2000).empty());
  CHECK(lcp(b, 2500).size() == 1);
}

TEST_CASE("a good sample between breaks the row") {
  page_baseline b{limits{}};
  lcp(b, 1000);
  lcp(b, 1000);
  for (int i = 0; i < 4; ++i)
    CHECK(lcp(b, 3000).size() == 1);
  CHECK(lcp(b, 1000).empty());
  for (int i = 0; i < 5; ++i)
    CHECK(lcp(b, 3000).size() == 1);
}

TEST_CASE("severities") {
  page_baseline b{limits{}};
  const auto level = [&](page_metric m, double base, double value) {
    const std::string page = std::to_string(base) + "/" + std::to_string(static_cast<int>(m));
    b.add(page, {}, only(m, base));
    b.add(page, {}, only(m, base));
    b.add(page, {}, only(m, value));
    const auto found = b.add(page, {}, only(m, value)).found;
    REQUIRE(found.size() == 1);
    return found[0].level;
  };
  CHECK(level(page_metric::lcp, 3000, 4001) == severity::error);
  CHECK(level(page_metric::lcp, 5000, 9000) == severity::warning); // was poor before
  CHECK(level(page_metric::fcp, 2000, 3500) == severity::error);
  CHECK(level(page_metric::inp, 300, 600) == severity::error);
  CHECK(level(page_metric::ttfb, 1000, 1900) == severity::error);
  CHECK(level(page_metric::cls, 0.1, 0.26) == severity::error);
  CHECK(level(page_metric::cls, 0.0, 0.2) == severity::warning);
  CHECK(level(page_metric::load, 5000, 90000) == severity::warning);
  CHECK(level(page_metric::ttfb, 110, 160) == severity::warning);
}

TEST_CASE("CLS regresses by more than 0.1") {
  page_baseline b{limits{}};
  for (int i = 0; i < 2; ++i)
    b.add("p", {}, only(page_metric::cls, 0.05));
  CHECK(b.add("p", {}, only(page_metric::cls, 0.15)).found.empty());
  CHECK(b.add("q", {}, only(page_metric::cls, 0)).found.empty());
  CHECK(b.add("q", {}, only(page_metric::cls, 0)).found.empty());
  CHECK(b.add("q", {}, only(page_metric::cls, 0.11)).found.size() == 1);
}

TEST_CASE("zero, negative, missing and non-finite values never count") {
  page_baseline b{limits{}};
  const double bad[] = {0, -1, std::nan(""), std::numeric_limits<double>::infinity()};
  for (const double v : bad)
    for (int i = 0; i < 3; ++i)
      CHECK(lcp(b, v).empty());
  CHECK(b.add("http://a.test/", {}, page_metrics{}).found.empty());
  CHECK(lcp(b, 1000).empty());
  CHECK(lcp(b, 3000).empty()); // the first real sample was the only one
}

TEST_CASE("reports of one load count as one sample, the newest value") {
  page_baseline b{limits{}};
  for (const auto* load : {"v1", "v2"}) {
    CHECK(b.add("p", load, only(page_metric::cls, 0.05)).found.empty());
    CHECK(b.add("p", load, only(page_metric::cls, 0.12)).found.empty());
    CHECK(b.add("p", load, only(page_metric::cls, 0.12)).found.empty());
  }
  CHECK(b.add("p", "v3", only(page_metric::cls, 0.21)).found.empty()); // 0.12 + 0.09
  CHECK(b.add("p", "v3", only(page_metric::cls, 0.23)).found.size() == 1);
  CHECK(b.add("p", "v3", only(page_metric::cls, 0.24)).found.empty()); // told, and no worse a band
  CHECK(b.add("p", "v4", only(page_metric::cls, 0.23)).found.size() == 1);
  CHECK(b.add("p", "v3", only(page_metric::cls, 0.9)).found.empty()); // another load followed
  const auto worse = b.add("p", "v4", only(page_metric::cls, 0.4)).found;
  REQUIRE(worse.size() == 1);
  CHECK(worse[0].level == severity::error);
  CHECK(worse[0].baseline == doctest::Approx(0.12));
}

TEST_CASE("the pages used last are kept") {
  limits limit;
  limit.detection.baseline_pages = 2;
  page_baseline b{limit};
  const auto add = [&](const std::string& page, double v) {
    return b.add(page, {}, only(page_metric::lcp, v)).found;
  };
  add("a", 1000);
  add("b", 1000);
  add("a", 1000);
  add("c", 1000); // b goes
  CHECK(b.pages() == 2);
  CHECK(add("a", 2000).size() == 1);
  add("b", 1000);
  CHECK(add("b", 2000).empty());
}

TEST_CASE("several metrics of a load are one verdict, led by the cause") {
  page_baseline b{limits{}};
  page_metrics m;
  m[page_metric::lcp] = 1000;
  m[page_metric::ttfb] = 200;
  b.add("p", {}, m);
  b.add("p", {}, m);
  m[page_metric::lcp] = 2000;
  m[page_metric::ttfb] = 1150;
  auto verdict = b.add("p", "v1", m);
  REQUIRE(verdict.found.size() == 2);
  CHECK(verdict.found[0].metric == page_metric::ttfb);
  CHECK_FALSE(verdict.told_before);
  m[page_metric::load] = 5000;
  CHECK(b.add("p", "v1", m).found.empty());
  // What a later report of the load adds was told in part; a worse level was not.
  m[page_metric::cls] = 0;
  b.add("q", "v1", m);
  b.add("q", "v2", m);
  b.add("q", "v3", only(page_metric::lcp, 9000));
  CHECK(b.add("q", "v3", only(page_metric::cls, 0.3)).told_before);
  // Little of the loss lies before the first byte: then it does not lead.
  m[page_metric::ttfb] = 300;
  m[page_metric::lcp] = 3000;
  verdict = b.add("p", "v2", m);
  REQUIRE(verdict.found.size() == 2);
  CHECK(verdict.found[0].metric == page_metric::lcp);
}

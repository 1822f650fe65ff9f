#include "actors/alerts/alert_log.hpp"
#include "tests/unit/support/alert_samples.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <utility>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;

namespace {

alert_ptr same_fault(std::uint64_t id, std::chrono::milliseconds when) {
  auto a = error_alert(id);
  a.dedup_key = literal{"same"};
  a.raised = at(when);
  a.at = sample_wall_time() + when;
  return share(std::move(a));
}

void close_all(alert_log& log) {
  for (const auto& m : log.all())
    log.close(m.id);
}

} // namespace

TEST_CASE("a fresh log is empty") {
  const alert_log log;
  CHECK(log.all().empty());
  CHECK(log.size() == 0);
}

TEST_CASE("55 alerts leave the newest 50, and no alert about that") {
  alert_log log;
  for (std::uint64_t i = 1; i <= 55; ++i)
    log.append(share(error_alert(i)));
  const auto unread = log.all();
  REQUIRE(unread.size() == 50);
  CHECK(unread.front().id == 6);
  CHECK(unread.back().id == 55);
  CHECK(log.evicted_unread() == 5);
}

TEST_CASE("evicting what somebody has read is no loss") {
  alert_log log;
  for (std::uint64_t i = 1; i <= 50; ++i)
    log.append(share(error_alert(i)));
  close_all(log);
  for (std::uint64_t i = 51; i <= 100; ++i)
    log.append(share(error_alert(i)));
  CHECK(log.evicted_unread() == 0);
  CHECK(log.all().size() == 50);
}

TEST_CASE("60 equal alerts are one entry with count 60, the first id and the newest time") {
  alert_log log;
  for (std::uint64_t i = 1; i <= 60; ++i)
    log.append(same_fault(i, std::chrono::seconds{i}));
  const auto unread = log.all();
  REQUIRE(unread.size() == 1);
  CHECK(unread[0].count == 60);
  CHECK(unread[0].id == 1);
  CHECK(unread[0].at == sample_wall_time() + 60s);
  CHECK(unread[0].first_raised == at(1s));
  CHECK(unread[0].last_raised == at(60s));
  CHECK(log.merged() == 59);
}

TEST_CASE("sender-side sums add up") {
  alert_log log;
  auto a = error_alert(1);
  a.count = 40;
  log.append(share(a));
  log.append(share(a));
  CHECK(log.all()[0].count == 80);
}

TEST_CASE("a repeat after somebody has been shown the entry opens a new one") {
  alert_log log;
  log.append(same_fault(1, 0s));
  log.append(same_fault(2, 1s));
  close_all(log);
  log.append(same_fault(3, 2s));
  log.append(same_fault(4, 3s));
  const auto all = log.all();
  REQUIRE(all.size() == 2);
  CHECK(all[0].count == 2);
  CHECK(all[1].count == 2);
  CHECK(all[1].id == 3);
  CHECK(log.appended() == 4);
}

TEST_CASE("a merged entry shows its worst occurrence") {
  alert_log log;
  auto worse = error_alert(1);
  auto milder = with_level(worse, severity::warning);
  log.append(share(milder));
  log.append(share(worse));
  log.append(share(milder));
  CHECK(log.all()[0].shown->level == severity::error);
  CHECK(log.all()[0].count == 3);
}

TEST_CASE("entries that nobody was shown merge further") {
  alert_log log;
  for (std::uint64_t i = 1; i <= 4; ++i)
    log.append(share(error_alert(i)));
  log.close(1);
  log.close(3);
  log.append(share(error_alert(2)));
  log.append(share(error_alert(1)));
  REQUIRE(log.size() == 5);
  CHECK(log.find(2)->count == 2);
  CHECK(log.find(1)->count == 1);
}

TEST_CASE("what is kept is found, what went is not") {
  limits limit;
  limit.alert.buffer_entries = 2;
  alert_log log{limit};
  CHECK(log.oldest() == 0);
  for (std::uint64_t i = 1; i <= 3; ++i)
    log.append(share(error_alert(i)));
  CHECK(log.oldest() == 2);
  CHECK(log.find(1) == nullptr);
  CHECK(log.find(3)->id == 3);
}

TEST_CASE("a key whose entry was evicted opens a new one") {
  alert_log log;
  log.append(same_fault(1, 0s));
  for (std::uint64_t i = 2; i <= 51; ++i)
    log.append(share(error_alert(i)));
  log.append(same_fault(52, 9s));
  CHECK(log.size() == 50);
  CHECK(log.all().back().id == 52);
  CHECK(log.all().back().count == 1);
}

TEST_CASE("a key that was read, repeated and evicted once keeps its newer entry") {
  limits limit;
  limit.alert.buffer_entries = 3;
  alert_log log{limit};
  log.append(same_fault(1, 0s));
  close_all(log);
  log.append(same_fault(2, 1s));
  log.append(share(error_alert(3)));
  log.append(share(error_alert(4)));
  log.append(same_fault(5, 2s));
  REQUIRE(log.size() == 3);
  CHECK(log.all()[0].id == 2);
  CHECK(log.all()[0].count == 2);
}

TEST_CASE("alerts without a key merge by category and title") {
  alert_log log;
  auto a = error_alert(1);
  a.dedup_key = {};
  log.append(share(a));
  log.append(share(a));
  auto other = a;
  other.category = alert_category::threshold;
  log.append(share(other));
  CHECK(log.size() == 2);
}

TEST_CASE("an update changes the newest entry of its key, read or not, and opens none") {
  alert_log log;
  auto update = error_alert(1);
  update.update = true;
  update.title = literal{"14 failed"};
  log.append(share(update));
  CHECK(log.all().empty());
  log.append(share(error_alert(1)));
  log.append(share(update));
  REQUIRE(log.all().size() == 1);
  CHECK(log.all()[0].shown->title.str() == "14 failed");
  CHECK(log.all()[0].count == 1);
  log.close(log.all()[0].id);
  update.title = literal{"15 failed"};
  log.append(share(update));
  CHECK(log.all()[0].shown->title.str() == "15 failed");
  CHECK(log.all().size() == 1);
  alert evidence;
  evidence.update = true;
  evidence.dedup_key = error_alert(1).dedup_key;
  evidence.also = {literal{"and the rejection"}};
  log.append(share(evidence));
  CHECK(log.all()[0].shown->title.str() == "15 failed");
  CHECK(log.all()[0].also.size() == 1);
}

TEST_CASE("what turns out to be an effect goes from whoever has not read it") {
  alert_log log;
  log.append(share(error_alert(1)));
  auto cause = error_alert(2);
  cause.effects = {error_alert(1).dedup_key};
  log.append(share(cause));
  REQUIRE(log.all().size() == 1);
  CHECK(log.all()[0].shown->dedup_key == cause.dedup_key);
  log.append(share(error_alert(1)));
  CHECK(log.all().size() == 2);
}

TEST_CASE("a loop that goes on after it was shown is still the same entry, until it pauses") {
  alert_log log;
  for (std::uint64_t i = 1; i <= 12; ++i)
    log.append(same_fault(i, i * 100ms));
  close_all(log);
  for (std::uint64_t i = 13; i <= 60; ++i)
    log.append(same_fault(i, i * 100ms));
  REQUIRE(log.size() == 1);
  CHECK(log.all()[0].count == 60);
  log.append(same_fault(61, 6s + 2s));
  REQUIRE(log.size() == 2);
  CHECK(log.all()[1].count == 1);
}

TEST_CASE("what comes now and then is news again once it was shown") {
  alert_log log;
  for (std::uint64_t i = 1; i <= 9; ++i)
    log.append(same_fault(i, i * 100ms));
  close_all(log);
  log.append(same_fault(10, 1s));
  CHECK(log.size() == 2);
}

#include "actors/alerts/shown_ledger.hpp"
#include "tests/unit/support/alert_samples.hpp"

#include <doctest/doctest.h>

#include <chrono>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;

namespace {

merged_alert numbered(std::uint64_t id) {
  return merged_alert{share(error_alert(id))};
}

std::uint64_t count(const shown_ledger& ledger, reader_id reader, shown_channel by) {
  return ledger.shown(reader)[static_cast<std::size_t>(by)];
}

} // namespace

TEST_CASE("the first way that showed an alert is the one that counts") {
  shown_ledger ledger;
  ledger.note_shown(1, numbered(5), shown_channel::hook, at(1s));
  ledger.note_shown(1, numbered(5), shown_channel::block, at(2s));
  REQUIRE(ledger.find(1, 5));
  CHECK(ledger.find(1, 5)->by == shown_channel::hook);
  CHECK(ledger.find(1, 5)->at == at(1s));
  CHECK(count(ledger, 1, shown_channel::hook) == 1);
  CHECK(count(ledger, 1, shown_channel::block) == 0);
  CHECK_FALSE(ledger.find(2, 5));
}

TEST_CASE("what was passed over is read, and was shown by nothing") {
  shown_ledger ledger;
  ledger.note_passed(1, 5);
  CHECK(ledger.is_read(1, 5));
  CHECK_FALSE(ledger.find(1, 5));
  ledger.forget_shown(1);
  CHECK(ledger.is_read(1, 5));
}

TEST_CASE("two readers that are one keep the first way of each alert, and sums") {
  shown_ledger ledger;
  ledger.note_shown(1, numbered(5), shown_channel::block, at(1s));
  ledger.note_shown(2, numbered(5), shown_channel::hook, at(2s));
  ledger.note_shown(2, numbered(6), shown_channel::hook, at(2s));
  ledger.note_sent(2, 4);
  ledger.join(2, 1);
  CHECK(ledger.readers() == 1);
  CHECK(count(ledger, 1, shown_channel::block) == 1);
  CHECK(count(ledger, 1, shown_channel::hook) == 1);
  CHECK(ledger.sent(1) == 4);
  CHECK(ledger.knows(1, numbered(6)));
}

TEST_CASE("a fault is known by severity, and what is taken back is not") {
  shown_ledger ledger;
  auto milder = numbered(5);
  milder.shown = share(with_level(*milder.shown, severity::warning));
  ledger.note_shown(1, milder, shown_channel::hook, at(1s));
  auto again = milder;
  again.id = 9;
  CHECK(ledger.knows(1, again));
  again.shown = numbered(5).shown;
  CHECK_FALSE(ledger.knows(1, again));
  ledger.take_back(1, milder);
  again.shown = milder.shown;
  CHECK_FALSE(ledger.knows(1, again));
  CHECK(count(ledger, 1, shown_channel::hook) == 0);
}

TEST_CASE("alerts that are no longer kept and the oldest faults are dropped") {
  limits::alert_limits limit;
  limit.reader_faults = 3;
  shown_ledger ledger{limit};
  for (std::uint64_t id = 1; id <= 10; ++id) {
    ledger.keep_from(id > 2 ? id - 2 : 1);
    ledger.note_shown(1, numbered(id), shown_channel::block, at(1s));
  }
  CHECK_FALSE(ledger.is_read(1, 7));
  CHECK(ledger.is_read(1, 8));
  CHECK_FALSE(ledger.knows(1, numbered(7)));
  CHECK(ledger.knows(1, numbered(8)));
}

TEST_CASE("a fault that is over is news to everybody when it comes back") {
  shown_ledger ledger;
  for (const reader_id reader : {1, 2})
    ledger.note_shown(reader, numbered(5), shown_channel::hook, at(1s));
  auto same = error_alert(6);
  same.dedup_key = error_alert(5).dedup_key;
  const merged_alert again{share(same)};
  CHECK(ledger.knows(1, again));
  ledger.end_fault("some other key");
  CHECK(ledger.knows(1, again));
  ledger.end_fault(merge_key(*again.shown));
  CHECK_FALSE(ledger.knows(1, again));
  CHECK_FALSE(ledger.knows(2, again));
  CHECK(ledger.is_read(1, 5));
  ledger.note_shown(1, again, shown_channel::hook, at(2s));
}

#include "actors/noise/repeat_table.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>
#include <re2/re2.h>

using namespace gasoline;
using namespace gasoline::test;

namespace {

void add_times(repeat_table& table, const event& e, int times) {
  for (int i = 0; i < times; ++i)
    table.add(e);
}

} // namespace

TEST_CASE("a message seen twenty times becomes a rule for all of its kind") {
  repeat_table table{limits{}};
  for (int i = 0; i < 20; ++i) {
    auto e = console_event(log_level::info, "");
    e.message = redacted(literal{"heartbeat "}, 1000 + i, literal{" ok (took 3ms)"});
    table.add(e);
  }
  const auto found = table.take_proposals();
  REQUIRE(found.size() == 1);
  CHECK(found[0].field == noise_field::message);
  CHECK(found[0].count == 20);
  CHECK(found[0].sample.str() == "heartbeat <n> ok (took <n>ms)");
  CHECK(re2::RE2::PartialMatch("heartbeat 77 ok (took 12ms)", found[0].pattern));
  CHECK_FALSE(re2::RE2::PartialMatch("heartbeat lost (took 12ms)", found[0].pattern));
  CHECK_FALSE(re2::RE2::PartialMatch("no heartbeat 77 ok (took 12ms)", found[0].pattern));
  CHECK(table.take_proposals().empty());
}

TEST_CASE("nineteen are not enough, sums of the sender count") {
  repeat_table table{limits{}};
  const auto e = console_event(log_level::warn, "slow render");
  add_times(table, e, 19);
  CHECK(table.take_proposals().empty());
  auto summed = e;
  summed.count = 1;
  table.add(summed);
  CHECK(table.take_proposals().size() == 1);
  summed.count = 20;
  table.add(summed);
  CHECK(table.take_proposals().size() == 1);
}

TEST_CASE("errors are never counted") {
  repeat_table table{limits{}};
  add_times(table, console_event(log_level::error, "database down"), 50);
  add_times(table, exception_event("x is not a function", ""), 50);
  auto warned = exception_event("x is not a function", "");
  warned.level = log_level::warn;
  add_times(table, warned, 50);
  add_times(table, request_event("GET", "http://localhost:1/health", 500), 50);
  add_times(table, request_event("GET", "http://localhost:1/health", 0), 50);
  CHECK(table.take_proposals().empty());
}

TEST_CASE("health checks become rules, other requests do not") {
  repeat_table table{limits{}};
  add_times(table, request_event("GET", "http://localhost:3000/health?t=1", 200), 10);
  add_times(table, request_event("GET", "http://localhost:3000/health?t=2", 200), 10);
  add_times(table, request_event("GET", "http://localhost:3000/__status", 404), 20);
  add_times(table, request_event("GET", "http://localhost:3000/api/users", 200), 100);
  const auto found = table.take_proposals();
  REQUIRE(found.size() == 2);
  for (const auto& p : found) {
    CHECK(p.field == noise_field::url);
    CHECK(p.count == 20);
    CHECK_FALSE(re2::RE2::PartialMatch("http://localhost:3000/healthy-food", p.pattern));
  }
}

TEST_CASE("the table stays bounded and keeps what repeats") {
  limits limit;
  limit.noise.repeat_entries = 16;
  repeat_table table{limit};
  for (int i = 0; i < 2000; ++i) {
    table.add(console_event(log_level::log, "frequent"));
    auto e = console_event(log_level::log, "");
    for (int n = i; n > 0; n /= 26)
      e.message.append_part(redacted(literal{"abcdefghijklmnopqrstuvwxyz"}),
                            static_cast<std::size_t>(n % 26), 1);
    table.add(e);
  }
  const auto found = table.take_proposals();
  REQUIRE(found.size() == 1);
  CHECK(found[0].sample.str() == "frequent");
}

TEST_CASE("entries below the number of neighbours") {
  limits limit;
  limit.noise.repeat_entries = 1;
  repeat_table table{limit};
  add_times(table, console_event(log_level::log, "a"), 20);
  CHECK(table.take_proposals().size() == 1);
}

TEST_CASE("a rule always matches the message that it was made of") {
  const redacted_text letters = literal{"ab019 '\"-:/.@+*[](){}|\\^$?<>Tzfe_\xC3\xBC\n"};
  const bool holds = rc::check([&] {
    const auto picks = *rc::gen::container<std::vector<std::size_t>>(
        rc::gen::inRange(std::size_t{0}, letters.view().size()));
    auto e = console_event(log_level::info, "m");
    for (const auto i : picks)
      if (letters.view()[i] != '\xC3' && letters.view()[i] != '\xBC')
        e.message.append_part(letters, i, 1);
      else
        e.message += "\xC3\xBC";
    repeat_table table{limits{}};
    add_times(table, e, 20);
    const auto found = table.take_proposals();
    RC_ASSERT(found.size() == 1U);
    const re2::RE2 pattern{found[0].pattern, re2::RE2::Quiet};
    RC_ASSERT(pattern.ok());
    RC_ASSERT(re2::RE2::PartialMatch(e.message.str(), pattern));
  });
  CHECK(holds);
}

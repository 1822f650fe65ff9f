#include "actors/telemetry/telemetry_buffers.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <random>

namespace gasoline {
namespace {

using buffer = telemetry_buffers::buffer;

std::uint64_t last_sequence = 0;

std::shared_ptr<event> make_event(telemetry_kind kind, log_level level, redacted_text message) {
  auto e = std::make_shared<event>();
  e->kind = kind;
  e->level = level;
  e->message = std::move(message);
  e->sequence = ++last_sequence;
  return e;
}

store_query query_for(queried_events what) {
  store_query q;
  q.what = what;
  return q;
}

} // namespace

TEST_CASE("identical events collapse into a count, the newest first") {
  telemetry_buffers buffers{limits{}};
  for (int i = 0; i < 60; ++i)
    buffers.append(make_event(telemetry_kind::log, log_level::error, redacted(literal{"same"})));
  buffers.append(make_event(telemetry_kind::log, log_level::error, redacted(literal{"other"})));
  const auto page = buffers.query(query_for(queried_events::errors));
  REQUIRE(page.groups.size() == 2);
  CHECK(page.total == 61);
  CHECK(page.groups[0].newest->message.str() == "other");
  CHECK(page.groups[1].count == 60);
  CHECK(page.next_cursor == 0);
}

TEST_CASE("errors of one fault are one item, with the pages that it was seen on") {
  telemetry_buffers buffers{limits{}};
  const auto add = [&](int n, literal page, literal fault, literal service = "") {
    auto e = make_event(telemetry_kind::log, log_level::error, redacted(literal{"failed "}, n));
    e->page = page;
    e->fault = fault;
    e->service = service;
    buffers.append(e);
  };
  add(1, "/a", "failed <n>");
  add(2, "/b", "failed <n>");
  add(3, "/a", "failed <n>");
  add(4, "/a", "failed <n>", "shop");
  add(5, "/c", "failed <n>");
  add(6, "/a", "other");
  add(7, "/b", "");
  add(8, "/b", "");
  const auto page = buffers.query(query_for(queried_events::faults));
  REQUIRE(page.groups.size() == 5);
  CHECK(page.total == 8);
  CHECK(page.groups[0].newest->message.view() == "failed 8"); // no fault is known: its texts
  const auto& fault = page.groups[3];
  CHECK(fault.newest->message.view() == "failed 5");
  CHECK(fault.count == 4);
  REQUIRE(fault.others.size() == 2);
  CHECK(fault.others[0]->page.view() == "/a");
  CHECK(fault.others[1]->page.view() == "/b");
  CHECK(page.groups[4].newest->service.view() == "shop");
  CHECK(page.groups[4].count == 1);
}

TEST_CASE("floods are answered by their runs as they would be error by error") {
  const std::array<literal, 3> faults{"", "failed <n>", "other"};
  const std::array<literal, 2> pages{"/a", "/b"};
  limits cap;
  cap.store.error_entries = 300;
  telemetry_buffers buffers{cap};
  std::mt19937 random{7}; // NOLINT(cert-msc32-c,cert-msc51-cpp): the same case every time
  const auto often = [&](unsigned n) { return random() % n != 0; };
  std::size_t fault = 1;
  std::size_t place = 0;
  for (int i = 0; i < 2000; ++i) {
    fault = often(40) ? fault : random() % faults.size();
    place = often(60) ? place : random() % pages.size();
    auto e = make_event(telemetry_kind::log, log_level::error, redacted(literal{"failed"}));
    e->fault = faults[fault];
    e->page = pages[place];
    e->count = 1 + random() % 3;
    e->at = wall_time{std::chrono::milliseconds{random() % 5000}};
    e->noise = often(50) ? noise_mark::none : noise_mark::noise;
    buffers.append(e);
    auto q = query_for(queried_events::faults);
    q.include_noise = !often(3);
    q.limit = often(3) ? 50 : 1;
    if (!often(3))
      q.before_sequence = last_sequence - random() % 350;
    const auto by_runs = buffers.query(q);
    q.since = wall_time{}; // all pass, but each is looked at
    const auto by_errors = buffers.query(q);
    REQUIRE(by_runs.total == by_errors.total);
    REQUIRE(by_runs.next_cursor == by_errors.next_cursor);
    REQUIRE(by_runs.groups.size() == by_errors.groups.size());
    for (std::size_t k = 0; k < by_runs.groups.size(); ++k) {
      REQUIRE(by_runs.groups[k].newest == by_errors.groups[k].newest);
      REQUIRE(by_runs.groups[k].count == by_errors.groups[k].count);
      REQUIRE(by_runs.groups[k].first_at == by_errors.groups[k].first_at);
      REQUIRE(by_runs.groups[k].others == by_errors.groups[k].others);
    }
  }
}

TEST_CASE("steps are what users and pages did, each for itself") {
  telemetry_buffers buffers{limits{}};
  for (int i = 0; i < 3; ++i)
    buffers.append(make_event(telemetry_kind::action, log_level::log, redacted(literal{"click"})));
  buffers.append(make_event(telemetry_kind::log, log_level::error, redacted(literal{"broken"})));
  buffers.append(make_event(telemetry_kind::body, log_level::log, {}));
  const auto page = buffers.query(query_for(queried_events::steps));
  REQUIRE(page.groups.size() == 4);
  CHECK(page.groups[0].newest->kind == telemetry_kind::body);
  for (std::size_t i = 1; i < page.groups.size(); ++i) {
    CHECK(page.groups[i].newest->kind == telemetry_kind::action);
    CHECK(page.groups[i].count == 1);
  }
}

TEST_CASE("pages follow each other without loss or repeat") {
  telemetry_buffers buffers{limits{}};
  for (int i = 0; i < 95; ++i)
    buffers.append(
        make_event(telemetry_kind::log, log_level::info, redacted(literal{"entry "}, i)));
  auto q = query_for(queried_events::logs);
  q.limit = 10;
  int expected = 94;
  int pages = 0;
  do {
    const auto page = buffers.query(q);
    for (const auto& g : page.groups)
      CHECK(g.newest->message.str() == "entry " + std::to_string(expected--));
    q.before_sequence = page.next_cursor;
    ++pages;
  } while (q.before_sequence > 0);
  CHECK(expected == -1);
  CHECK(pages == 10);
}

TEST_CASE("errors outlive chatter, and logs show both in order") {
  limits limit;
  limit.store.log_entries = 3;
  telemetry_buffers buffers{limit};
  buffers.append(
      make_event(telemetry_kind::log, log_level::error, redacted(literal{"early error"})));
  for (int i = 0; i < 10; ++i)
    buffers.append(
        make_event(telemetry_kind::log, log_level::debug, redacted(literal{"chatter "}, i)));
  const auto page = buffers.query(query_for(queried_events::logs));
  CHECK(page.total == 4);
  CHECK(page.evicted == 7);
  CHECK(page.groups.back().newest->message.str() == "early error");
}

TEST_CASE("noise is hidden and counted unless asked for") {
  telemetry_buffers buffers{limits{}};
  auto noisy =
      make_event(telemetry_kind::log, log_level::error, redacted(literal{"ResizeObserver loop"}));
  noisy->noise = noise_mark::noise;
  buffers.append(noisy);
  auto q = query_for(queried_events::errors);
  CHECK(buffers.query(q).groups.empty());
  CHECK(buffers.query(q).noise_hidden == 1);
  q.include_noise = true;
  CHECK(buffers.query(q).groups.size() == 1);
}

TEST_CASE("filters narrow by level, status, url, age and position") {
  telemetry_buffers buffers{limits{}};
  auto request = make_event(telemetry_kind::body, log_level::log, {});
  request->url = literal{"http://localhost/api/users"};
  request->status = 500;
  buffers.append(request);
  auto dead = make_event(telemetry_kind::body, log_level::log, {});
  dead->url = literal{"http://localhost/other"};
  dead->status = 0;
  buffers.append(dead);
  auto q = query_for(queried_events::network_bodies);
  q.status_min = 501;
  CHECK(buffers.query(q).total == 1);
  q.status_min = 400;
  CHECK(buffers.query(q).total == 2);
  q.url = "/api/";
  CHECK(buffers.query(q).total == 1);
  q.after_sequence = request->sequence;
  CHECK(buffers.query(q).total == 0);
  auto logs = query_for(queried_events::logs);
  buffers.append(make_event(telemetry_kind::log, log_level::info, redacted(literal{"a"})));
  buffers.append(make_event(telemetry_kind::log, log_level::warn, redacted(literal{"b"})));
  logs.min_level = log_level::warn;
  CHECK(buffers.query(logs).total == 1);
}

TEST_CASE("memory pressure evicts by level and lifts the halved caps below soft") {
  limits limit;
  limit.memory.soft_bytes = 20'000;
  limit.memory.hard_bytes = 40'000;
  limit.memory.critical_bytes = 80'000;
  telemetry_buffers buffers{limit};
  const auto fill = [&](std::uint64_t above) {
    while (buffers.bytes() <= above)
      buffers.append(
          make_event(telemetry_kind::log, log_level::info, redacted(literal{"some text"})));
    return buffers.ring(buffer::logs).size();
  };
  auto before = fill(20'000);
  CHECK(buffers.relieve() == memory_pressure::soft);
  CHECK(buffers.ring(buffer::logs).size() == before - before / 4);
  CHECK(buffers.relieve() == memory_pressure::normal);
  before = fill(40'000);
  CHECK(buffers.relieve() == memory_pressure::hard);
  CHECK(buffers.ring(buffer::logs).size() == before - before / 2);
  fill(80'000);
  CHECK(buffers.relieve() == memory_pressure::critical);
  CHECK(buffers.bytes() == 0);
  CHECK(buffers.relieve() == memory_pressure::normal);
}

} // namespace gasoline

#include "actors/agents/trace/trace_store.hpp"
#include "tests/unit/support/session_probe.hpp"

#include <sys/wait.h>

#include <csignal>
#include <thread>

using namespace gasoline;
using namespace gasoline::test;
using nlohmann::json;

namespace {

const agent_session_id the_session{"sess_1"};

random_source counting() {
  return [n = std::uint64_t{1}]() mutable { return n++ * 0x9E37'79B9'7F4A'7C15ULL; };
}

session_summary a_session() {
  session_summary s;
  s.id = the_session;
  s.workspace_path = "/x";
  s.active_model = "fake:m";
  return s;
}

trace_record a_record(std::uint64_t number, ulid_source& ids) {
  event_draft draft;
  draft.type = session_event_type::route_decided;
  draft.payload = {{"model", "m"}};
  trace_record r;
  r.number = number;
  r.event = make_session_event(draft, ids.next(id_kind::record, wall_time{}), the_session, {},
                               wall_time{});
  return r;
}

session_filter everything() {
  return *parse_session_filter("preset:full");
}

/// Writes and reports every id after its commit, until it is killed.
[[noreturn]] void write_until_killed(const std::filesystem::path& file, int report) {
  trace_database db{file};
  ulid_source ids{counting()};
  trace_record session;
  session.summary = std::make_shared<const session_summary>(a_session());
  db.write({session});
  for (std::uint64_t n = 1;; ++n) {
    const auto r = a_record(n, ids);
    db.write({r});
    const auto line = r.event->id + "\n";
    if (::write(report, line.data(), line.size()) < 0)
      ::_exit(1);
  }
}

/// The ids that a killed writer has reported as stored.
std::vector<std::string> reported_until_killed(const std::filesystem::path& file, int delay_ms) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const auto child = ::fork();
  if (child == 0)
    write_until_killed(file, ends[1]);
  ::close(ends[1]);
  std::string text;
  char buffer[4'096];
  auto got = ::read(ends[0], buffer, sizeof buffer); // it has begun
  text.append(buffer, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  std::this_thread::sleep_for(std::chrono::milliseconds{delay_ms});
  ::kill(child, SIGKILL);
  while ((got = ::read(ends[0], buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<std::size_t>(got));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  std::vector<std::string> ids;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    ids.push_back(text.substr(at, end - at));
  return ids;
}

} // namespace

TEST_CASE("kill -9 loses no event that was reported as stored") {
  for (int delay_ms = 0; delay_ms < 10; ++delay_ms) {
    scratch_directory directory;
    const auto ids = reported_until_killed(directory.file(), delay_ms);
    REQUIRE_FALSE(ids.empty());
    trace_database db{directory.file()};
    trace_reader_database reader{directory.file()};
    const auto page = reader.replay({the_session, false, "", "evt_Z"}, everything(), 1'000'000);
    // The last commit may not have been reported any more.
    REQUIRE(page.events.size() >= ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
      CHECK(page.events[i]->id == ids[i]);
    CHECK(db.contents().head == page.events.back()->id);
  }
}

TEST_CASE("records that arrive together share a commit, and the writer hears of the last") {
  scratch_directory directory;
  virtual_system vs;
  const wall_clock clock = [](mono_time) { return wall_time{}; };
  const auto store =
      vs.own(vs.sys.spawn(trace_store, directory.file(), counting(), clock, limits{}));
  REQUIRE(vs.ask<bool>(store, create_atom_v, a_session()));
  ulid_source ids{counting()};
  for (std::uint64_t n = 1; n <= 10; ++n)
    vs.self->send(store, write_atom_v,
                  std::make_shared<const std::vector<trace_record>>(1, a_record(n, ids)));
  vs.settle();
  vs.self->receive([](stored_atom, std::uint64_t number) { CHECK(number == 10); });
  const auto health = vs.ask<health_part>(store, health_atom_v);
  REQUIRE(health);
  CHECK((**health)["trace"]["commits"] == 1);
  CHECK((**health)["trace"]["records"] == 10);
}

TEST_CASE("what was stored cannot be told while the file is locked, and is told afterwards") {
  scratch_directory directory;
  virtual_system vs;
  const wall_clock clock = [](mono_time) { return wall_time{}; };
  const auto store =
      vs.own(vs.sys.spawn(trace_store, directory.file(), counting(), clock, limits{}));
  REQUIRE(vs.ask<bool>(store, create_atom_v, a_session()));
  {
    // The table is gone for a while, so that every commit fails at once.
    SQLite::Database other{directory.file().string(), SQLite::OPEN_READWRITE};
    other.exec("ALTER TABLE events RENAME TO elsewhere");
    ulid_source ids{counting()};
    vs.self->send(store, write_atom_v,
                  std::make_shared<const std::vector<trace_record>>(1, a_record(1, ids)));
    vs.settle();
    vs.self->receive([](failed_atom, const std::string& why) { CHECK(!why.empty()); });
    const auto health = vs.ask<health_part>(store, health_atom_v);
    CHECK((**health)["trace"].contains("problem"));
    other.exec("ALTER TABLE elsewhere RENAME TO events");
  }
  vs.advance(std::chrono::seconds{1});
  vs.self->receive([](stored_atom, std::uint64_t number) { CHECK(number == 1); });
  const auto health = vs.ask<health_part>(store, health_atom_v);
  CHECK_FALSE((**health)["trace"].contains("problem"));
}

TEST_CASE("a record that can never be written holds up no other, and is counted") {
  scratch_directory directory;
  virtual_system vs;
  const wall_clock clock = [](mono_time) { return wall_time{}; };
  limits limit;
  limit.session.events_kept = 10;
  const auto store = vs.own(vs.sys.spawn(trace_store, directory.file(), counting(), clock, limit));
  REQUIRE(vs.ask<bool>(store, create_atom_v, a_session()));
  SQLite::Database other{directory.file().string(), SQLite::OPEN_READWRITE};
  ulid_source ids{counting()};
  auto records = std::make_shared<std::vector<trace_record>>();
  for (std::uint64_t n = 1; n <= 3; ++n)
    records->push_back(a_record(n, ids));
  other.exec("CREATE TRIGGER refusal BEFORE INSERT ON events WHEN new.id = '" +
             (*records)[1].event->id + "' BEGIN SELECT raise(ABORT, 'never'); END");
  vs.self->send(store, write_atom_v, trace_records{records});
  vs.settle();
  vs.self->receive([](stored_atom, std::uint64_t number) { CHECK(number == 3); });
  // What was rolled back does not count against the cap, so nothing is removed too early.
  for (std::uint64_t n = 4; n <= 11; ++n)
    vs.self->send(store, write_atom_v,
                  std::make_shared<const std::vector<trace_record>>(1, a_record(n, ids)));
  vs.settle();
  vs.self->receive([](stored_atom, std::uint64_t number) { CHECK(number == 11); });
  const auto health = vs.ask<health_part>(store, health_atom_v);
  CHECK((**health)["trace"]["refused_records"] == 1);
  CHECK((**health)["trace"]["records"] == 10);
  CHECK_FALSE((**health)["trace"].contains("problem"));
  CHECK(other.execAndGet("SELECT count(*) FROM events").getInt() == 10);
}

TEST_CASE("replays come in pages, in order, within their range") {
  scratch_directory directory;
  trace_database db{directory.file()};
  ulid_source ids{counting()};
  std::vector<trace_record> records;
  for (std::uint64_t n = 1; n <= 25; ++n)
    records.push_back(a_record(n, ids));
  records.front().summary = std::make_shared<const session_summary>(a_session());
  db.write(records);
  trace_reader_database reader{directory.file()};
  event_range range{the_session, false, records[4].event->id, records[19].event->id};
  CHECK(reader.count(range, everything(), 100).matching == 15);
  CHECK(reader.count(range, everything(), 10).matching == 11);
  std::vector<std::string> got;
  for (bool last = false; !last;) {
    const auto page = reader.replay(range, everything(), 4);
    for (const auto& e : page.events)
      got.push_back(e->id);
    last = page.last;
    if (!page.events.empty())
      range.after = page.events.back()->id;
  }
  REQUIRE(got.size() == 15);
  for (std::size_t i = 0; i < got.size(); ++i)
    CHECK(got[i] == records[5 + i].event->id);
  db.prune_by_count(the_session, 10);
  CHECK(reader.count(range, everything(), 100).pruned_through == records[14].event->id);
}

TEST_CASE("a turn that never ends keeps within the bytes of the trace, its newest events stay") {
  scratch_directory directory;
  trace_database db{directory.file()};
  ulid_source ids{counting()};
  std::vector<trace_record> records;
  for (std::uint64_t n = 1; n <= 200; ++n) {
    event_draft draft;
    draft.type = session_event_type::route_decided;
    draft.turn_id = agent_turn_id{"turn_1"};
    draft.payload = {{"model", std::string(10'000, 'x')}};
    trace_record r;
    r.number = n;
    r.event = make_session_event(draft, ids.next(id_kind::record, wall_time{}), the_session, {},
                                 wall_time{});
    records.push_back(r);
  }
  records.front().summary = std::make_shared<const session_summary>(a_session());
  db.write(records);
  CHECK(db.bytes() > 1'900'000);
  db.prune_by_bytes(500'000);
  CHECK(db.bytes() <= 500'000);
  CHECK(db.pruned_events() > 100);
  trace_reader_database reader{directory.file()};
  const event_range range{the_session, false, "", records.back().event->id};
  const auto page = reader.replay(range, everything(), 1'000);
  REQUIRE_FALSE(page.events.empty());
  CHECK(page.events.back()->id == records.back().event->id);
}

#include "actors/streams/stream_registry.hpp"
#include "messages/base/spawned_alone.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace gasoline;
using namespace std::chrono_literals;

namespace {

/// Notes what it is handed.
class noting_tap : public stream_tap {
 public:
  void on_event(const stream_event_ptr& e) override { ids.push_back(e->id); }
  void on_deleted() override { deleted = true; }

  std::vector<std::uint64_t> ids;
  bool deleted = false;
};

/// Stands for a client's session.
stream_notice_sink::behavior_type
fake_session(stream_notice_sink::pointer, std::shared_ptr<std::vector<stream_notice_ptr>> notices) {
  return {[notices](stream_atom, const stream_notice_ptr& n) { notices->push_back(n); }};
}

/// A registry with a session and short ways to use it.
struct registry_fixture {
  explicit registry_fixture(const limits& limit = {}) {
    const auto redaction = std::make_shared<const redaction_engine>(std::vector<redaction_rule>{});
    registry = vs.own(vs.sys.spawn(stream_registry, redaction,
                                   wall_clock{[](mono_time) { return wall_time{}; }},
                                   stream_sharing{}, limit));
    session = vs.own(vs.sys.spawn(fake_session, notices));
  }

  stream_answer run(stream_command command) {
    return *vs.ask<stream_answer>(registry, stream_atom_v, std::move(command), asking_party{});
  }

  void create(const std::string& name, const std::string& type = "sse") {
    REQUIRE(run(create_stream{name, type, 100}).outcome == stream_outcome::created);
  }

  void publish(const std::string& name, const std::string& topic = "") {
    REQUIRE(run(publish_event{name, "1", "", topic, ""}).outcome == stream_outcome::done);
  }

  std::string subscribe(const std::string& name, bool notifies = false) {
    const auto answer = *vs.ask<stream_answer>(registry, subscribe_atom_v,
                                               subscribe_stream{7, name, "", session, notifies});
    return nlohmann::json::parse(answer.text).at("subscription_id");
  }

  /// Starts a read whose answer is kept in `pages`.
  void begin_read(const std::string& id, std::chrono::milliseconds wait) {
    vs.own(vs.sys.spawn(
        [this, id, wait](caf::event_based_actor* self, spawned_alone) {
          self->request(registry, caf::infinite, read_atom_v,
                        stream_read{7, id, std::nullopt, 10, 100'000, wait})
              .then([this](const stream_page& page) { pages.push_back(page); });
        },
        spawned_alone{}));
    vs.settle();
  }

  stream_opening open(const std::shared_ptr<noting_tap>& tap, const std::string& stream,
                      std::optional<stream_place> after = std::nullopt,
                      const std::string& topic = "") {
    stream_opening out;
    auto wanted = std::make_shared<open_tap>();
    wanted->stream = stream;
    wanted->topic = topic;
    wanted->after = after;
    wanted->tap = tap;
    wanted->reply = [&](stream_opening opening) { out = std::move(opening); };
    caf::anon_send(registry, join_atom_v, open_tap_ptr{wanted});
    vs.settle();
    return out;
  }

  stream_piece piece_after(const std::shared_ptr<noting_tap>& tap, std::uint64_t id) {
    stream_piece out;
    auto wanted = std::make_shared<read_piece>();
    wanted->tap = tap;
    wanted->after = id;
    wanted->reply = [&](stream_piece piece) { out = std::move(piece); };
    caf::anon_send(registry, read_atom_v, read_piece_ptr{wanted});
    vs.settle();
    return out;
  }

  std::vector<stream_page> pages; // outlives the actors that write there
  std::shared_ptr<std::vector<stream_notice_ptr>> notices =
      std::make_shared<std::vector<stream_notice_ptr>>();
  virtual_system vs;
  stream_registry_actor registry;
  stream_notice_sink session;
};

using ids = std::vector<std::uint64_t>;

} // namespace

TEST_CASE("a read waits for an event, or until its time is over") {
  registry_fixture f;
  f.create("a");
  const auto id = f.subscribe("a");
  f.begin_read(id, 10s);
  f.vs.advance(9s);
  CHECK(f.pages.empty());
  f.publish("a");
  f.vs.settle();
  REQUIRE(f.pages.size() == 1);
  CHECK(f.pages[0].events.size() == 1);
  f.begin_read(id, 10s);
  f.vs.advance(9'999ms);
  CHECK(f.pages.size() == 1);
  f.vs.advance(1ms);
  REQUIRE(f.pages.size() == 2);
  CHECK(f.pages[1].events.empty());
  CHECK(f.pages[1].problem.empty());
}

TEST_CASE("of two reads of one subscription one gets the event") {
  registry_fixture f;
  f.create("a");
  const auto id = f.subscribe("a");
  f.begin_read(id, 10s);
  f.begin_read(id, 10s);
  f.publish("a");
  f.vs.settle();
  CHECK(f.pages.size() == 1);
  f.publish("a");
  f.vs.settle();
  REQUIRE(f.pages.size() == 2);
  CHECK(f.pages[1].events.at(0)->id == 2);
}

TEST_CASE("waiting reads get what there is when their client leaves or the stream goes") {
  registry_fixture f;
  f.create("a");
  const auto id = f.subscribe("a");
  f.begin_read(id, 50s);
  caf::anon_send(f.registry, flush_atom_v, client_id{7});
  f.vs.settle();
  CHECK(f.pages.size() == 1);
  f.begin_read(id, 50s);
  f.run(delete_stream{"a"});
  REQUIRE(f.pages.size() == 2);
  CHECK(f.pages[1].problem.find("deleted") != std::string::npos);
}

TEST_CASE("the subscriptions of a session end with it") {
  registry_fixture f;
  f.create("a");
  const auto id = f.subscribe("a");
  f.begin_read(id, 50s);
  caf::anon_send_exit(f.session, caf::exit_reason::kill);
  f.vs.settle();
  REQUIRE(f.pages.size() == 1);
  CHECK_FALSE(f.pages[0].problem.empty());
  const auto status = nlohmann::json::parse(f.run(show_streams{"a", "", 1000}).text);
  CHECK(status.at("streams").at(0).at("subscriber_count") == 0);
}

TEST_CASE("a tap gets what its filter lets pass, behind the pieces that its readers ask for") {
  registry_fixture f;
  f.create("a");
  for (int i = 0; i < 3; ++i)
    f.publish("a", i == 1 ? "x" : "orders.created");
  const auto tap = std::make_shared<noting_tap>();
  CHECK(f.open(tap, "a", stream_place{}, "orders.*").from == 0);
  const auto piece = f.piece_after(tap, 0);
  CHECK(piece.events.size() == 2);
  CHECK(piece.to == 3);
  CHECK(piece.last);
  f.publish("a", "x");
  f.publish("a", "orders.paid");
  f.publish("a");
  CHECK(tap->ids == ids{5, 6});
  CHECK(f.open(tap, "a", std::nullopt, "orders.*").from == 6);
  f.publish("a", "orders.paid");
  CHECK(tap->ids == ids{5, 6, 7}); // a second reader opens it once
  caf::anon_send(f.registry, leave_atom_v, stream_tap_ptr{tap});
  f.publish("a", "orders.paid");
  CHECK(tap->ids.size() == 3);
}

TEST_CASE("an id of another life of the stream makes everything new, one without life is said so") {
  registry_fixture f;
  f.create("a");
  for (int i = 0; i < 5; ++i)
    f.publish("a");
  const auto first = f.open(std::make_shared<noting_tap>(), "a");
  CHECK(first.from == 5);
  const stream_place read{first.life, 5};
  CHECK(f.open(std::make_shared<noting_tap>(), "a", read).place == place_of_reader::known);
  f.run(delete_stream{"a"});
  f.create("a");
  for (int i = 0; i < 8; ++i)
    f.publish("a");
  const auto again = f.open(std::make_shared<noting_tap>(), "a", read);
  CHECK(again.life != first.life);
  CHECK(again.place == place_of_reader::of_other_life);
  CHECK(again.from == 0);
  const auto bare = f.open(std::make_shared<noting_tap>(), "a", stream_place{std::nullopt, 5});
  CHECK(bare.place == place_of_reader::unsaid);
  CHECK(bare.from == 5);
  const auto ahead = f.open(std::make_shared<noting_tap>(), "a", stream_place{std::nullopt, 500});
  CHECK(ahead.place == place_of_reader::of_other_life);
  CHECK(ahead.from == 0);
}

TEST_CASE("pieces are bounded, go on where the last one ended, and say what was missed") {
  limits limit;
  limit.stream.replay_bytes = 3'000;
  registry_fixture f{limit};
  f.create("a"); // keeps 100
  const auto tap = std::make_shared<noting_tap>();
  f.open(tap, "a", stream_place{});
  for (int i = 0; i < 110; ++i)
    f.publish("a");
  ids seen;
  std::uint64_t missed = 0;
  std::uint64_t at = 0;
  for (int pieces = 0; pieces < 100; ++pieces) {
    const auto piece = f.piece_after(tap, at);
    missed += piece.missed;
    CHECK(piece.events.size() < 20);
    for (const auto& e : piece.events)
      seen.push_back(e->id);
    at = piece.to;
    if (piece.last)
      break;
  }
  CHECK(missed == 10);
  REQUIRE(seen.size() == 100);
  CHECK(seen.front() == 11);
  CHECK(seen.back() == 110);
  const auto health = *f.vs.ask<std::shared_ptr<const nlohmann::json>>(f.registry, health_atom_v);
  CHECK(health->at("dropped").at("named_stream_reader_events") == 10);
}

TEST_CASE("taps are refused with the reason, and told when their stream is deleted") {
  registry_fixture f;
  f.create("plain", "in_memory");
  f.create("a");
  const auto tap = std::make_shared<noting_tap>();
  CHECK(f.open(tap, "none").refusal.outcome == stream_outcome::not_found);
  CHECK(f.open(tap, "plain").refusal.outcome == stream_outcome::forbidden);
  CHECK(f.open(tap, "a", std::nullopt, "a..b").refusal.outcome == stream_outcome::invalid);
  CHECK_FALSE(f.open(tap, "a").refusal.is_refusal());
  f.run(delete_stream{"a"});
  CHECK(tap->deleted);
}

TEST_CASE("a watcher is told once, of what is new since it asked") {
  registry_fixture f;
  f.create("a");
  f.publish("a");
  constexpr auto whatever_was = ~std::uint64_t{0};
  caf::anon_send(f.registry, watch_atom_v, f.session, std::string{"a"}, whatever_was);
  f.vs.settle();
  CHECK(f.notices->empty());
  f.publish("a");
  f.publish("a");
  f.vs.settle();
  REQUIRE(f.notices->size() == 1);
  CHECK(f.notices->at(0)->newest == 2);
  caf::anon_send(f.registry, watch_atom_v, f.session, std::string{"a"}, whatever_was);
  f.run(delete_stream{"a"});
  CHECK(f.notices->size() == 2);
}

TEST_CASE("a subscription that notifies hands over every event") {
  registry_fixture f;
  f.create("a");
  f.subscribe("a", true);
  f.publish("a");
  f.publish("a");
  f.vs.settle();
  REQUIRE(f.notices->size() == 2);
  CHECK(f.notices->at(1)->event->id == 2);
}

TEST_CASE("alerts are published to the built-in stream") {
  registry_fixture f;
  const auto tap = std::make_shared<noting_tap>();
  f.open(tap, "$alerts", std::nullopt, "ci.*");
  auto a = std::make_shared<alert>();
  a->category = alert_category::ci;
  a->level = severity::error;
  a->title = redacted(literal{"CI failure"});
  caf::anon_send(f.registry, alert_atom_v, alert_ptr{a});
  f.vs.settle();
  CHECK(tap->ids == ids{1});
}

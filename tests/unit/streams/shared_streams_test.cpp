#include "actors/streams/stream_registry.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace gasoline;

namespace {

/// What a backend was asked for; the test answers when it likes.
struct backend_log {
  std::vector<backend_command> commands;
  std::vector<store_events_ptr> events;
  std::vector<caf::typed_response_promise<stored_places>> places;
  std::vector<caf::typed_response_promise<backend_answer>> answers;
  std::vector<std::function<void()>> due; ///< runs in the backend, where promises are kept
};

stream_backend_actor::behavior_type fake_backend(stream_backend_actor::pointer self,
                                                 std::shared_ptr<backend_log> log) {
  return {
      [log](join_atom, const stream_registry_actor&) {
        for (auto& work : std::exchange(log->due, {}))
          work();
      },
      [self, log](write_atom, const store_events_ptr& wanted) {
        log->events.push_back(wanted);
        return log->places.emplace_back(self->make_response_promise<stored_places>());
      },
      [self, log](stream_atom, const backend_command& command) {
        log->commands.push_back(command);
        return log->answers.emplace_back(self->make_response_promise<backend_answer>());
      },
  };
}

class counting_tap : public stream_tap {
 public:
  void on_event(const stream_event_ptr& e) override { ids.push_back(e->id); }
  void on_deleted() override { deleted = true; }

  std::vector<std::uint64_t> ids;
  bool deleted = false;
};

struct shared_fixture {
  explicit shared_fixture(bool waits = false) {
    backend = vs.own(vs.sys.spawn(fake_backend, log));
    registry = vs.own(vs.sys.spawn(
        stream_registry, std::make_shared<const redaction_engine>(std::vector<redaction_rule>{}),
        wall_clock{[](mono_time) { return wall_time{}; }}, stream_sharing{backend, false, waits},
        limits{}));
  }
  ~shared_fixture() {
    in_backend([this] {
      for (auto& promise : std::exchange(log->places, {}))
        promise.deliver(caf::make_error(caf::sec::request_receiver_down));
      for (auto& promise : std::exchange(log->answers, {}))
        promise.deliver(caf::make_error(caf::sec::request_receiver_down));
    });
  }

  void in_backend(std::function<void()> work) {
    log->due.push_back(std::move(work));
    caf::anon_send(backend, join_atom_v, registry);
    vs.settle();
  }

  void store(stored_places places) {
    in_backend([this, places = std::move(places)] { log->places.front().deliver(places); });
  }

  void answer(backend_answer answer) {
    in_backend([this, answer = std::move(answer)] { log->answers.back().deliver(answer); });
  }

  void news(backend_news news) {
    caf::anon_send(registry, changed_atom_v,
                   backend_news_ptr{std::make_shared<const backend_news>(std::move(news))});
    vs.settle();
  }

  void list(std::uint64_t oldest, std::uint64_t newest) {
    news(shared_streams{{{"s", stream_type::sse, 100, oldest, newest}}});
  }

  void arrive(std::uint64_t from, std::uint64_t to) {
    stored_events out{"s", {}};
    for (auto id = from; id <= to; ++id)
      out.events.push_back({id, "u" + std::to_string(id), wall_time{}, "", "", "1", ""});
    news(std::move(out));
  }

  void ask(stream_command command) {
    auto request = std::make_shared<stream_request>();
    request->command = std::move(command);
    request->reply = [this](stream_answer answer) { answers.push_back(std::move(answer)); };
    caf::anon_send(registry, stream_atom_v, stream_request_ptr{std::move(request)});
    vs.settle();
  }

  void join(std::optional<std::uint64_t> after) {
    auto wanted = std::make_shared<open_tap>();
    wanted->stream = "s";
    if (after)
      wanted->after = stream_place{std::nullopt, *after};
    wanted->tap = tap;
    wanted->reply = [this](stream_opening opening) { openings.push_back(std::move(opening)); };
    caf::anon_send(registry, join_atom_v, open_tap_ptr{std::move(wanted)});
    vs.settle();
  }

  virtual_system vs;
  std::shared_ptr<backend_log> log = std::make_shared<backend_log>();
  stream_backend_actor backend;
  stream_registry_actor registry;
  std::shared_ptr<counting_tap> tap = std::make_shared<counting_tap>();
  std::vector<stream_answer> answers;
  std::vector<stream_opening> openings;
};

} // namespace

TEST_CASE("a publisher is answered when the backend has the event and it can be read here") {
  shared_fixture f;
  f.list(1, 0);
  f.ask(publish_event{"s", "1", "", "", ""});
  REQUIRE(f.log->events.size() == 1);
  CHECK(f.answers.empty());
  f.store(stored_places{{5, stream_outcome::done, {}}});
  CHECK(f.answers.empty());
  f.arrive(5, 5);
  REQUIRE(f.answers.size() == 1);
  CHECK(f.answers.front().outcome == stream_outcome::done);
}

TEST_CASE("a reader waits until what the backend holds has arrived, and resumes in it") {
  shared_fixture f;
  f.join(3);
  CHECK(f.openings.empty());
  f.list(1, 5);
  CHECK(f.openings.empty());
  f.arrive(1, 5);
  REQUIRE(f.openings.size() == 1);
  CHECK(f.openings.front().from == 3);
  f.arrive(6, 6);
  f.arrive(6, 7);
  CHECK(f.tap->ids == std::vector<std::uint64_t>{6, 7});
}

TEST_CASE(
    "an id that was read from another engine is waited for, one of an earlier stream is not") {
  shared_fixture f;
  f.list(1, 0);
  f.join(3);
  CHECK(f.openings.empty());
  f.answer(backend_answer{stream_outcome::done, {}, 3});
  CHECK(f.openings.empty());
  f.arrive(1, 3);
  REQUIRE(f.openings.size() == 1);
  CHECK(f.openings.front().from == 3);
  f.join(900);
  f.answer(backend_answer{stream_outcome::done, {}, 3});
  REQUIRE(f.openings.size() == 2);
  CHECK(f.openings.back().from == 0);
}

TEST_CASE("without a server commands fail or wait, as configured") {
  for (const bool waits : {false, true}) {
    shared_fixture f{waits};
    f.ask(publish_event{"s", "1", "", "", ""});
    CHECK(f.answers.empty());
    f.news(backend_loss{"It is away."});
    REQUIRE(f.answers.size() == (waits ? 0U : 1U));
    if (!waits) {
      CHECK(f.answers.front().outcome == stream_outcome::unreachable);
      continue;
    }
    f.list(1, 0);
    CHECK(f.log->events.size() == 1);
  }
}

TEST_CASE("a stream that another engine removes or empties is removed or emptied here") {
  shared_fixture f;
  f.list(1, 0);
  f.arrive(1, 4);
  f.join(std::nullopt);
  f.news(shared_stream{"s", stream_type::sse, 100, 5, 4});
  f.ask(show_streams{"s", {}, 10'000});
  CHECK(f.answers.back().text.find("\"buffered_events\":0") != std::string::npos);
  f.news(lost_stream{"s"});
  CHECK(f.tap->deleted);
  f.ask(show_streams{"s", {}, 10'000});
  CHECK(f.answers.back().outcome == stream_outcome::not_found);
}

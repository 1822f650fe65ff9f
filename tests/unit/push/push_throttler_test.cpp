#include "actors/push/push_throttler.hpp"
#include "messages/base/spawned_alone.hpp"
#include "tests/unit/support/alert_samples.hpp"
#include "tests/unit/support/recording_writer.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;

namespace {

using recorded_steps = std::shared_ptr<std::vector<record_step>>;

struct stream_fixture {
  virtual_system vs;
  written_lines lines = std::make_shared<std::vector<written_line>>();
  recorded_steps steps = std::make_shared<std::vector<record_step>>();
  message_writer writer = spawn_recording_writer(vs, lines);
  recorder_actor recorder = vs.own(vs.sys.spawn(
      [s = steps](recorder_actor::pointer, spawned_alone) -> recorder_actor::behavior_type {
        return {
            [](health_atom) {
              return std::make_shared<const nlohmann::json>(nlohmann::json::object());
            },
            [s](record_atom, const record_step& step) { s->push_back(step); },
            [](record_atom, const event_batch_ptr&) {},
        };
      },
      spawned_alone{}));
  push_throttler_actor stream =
      vs.own(vs.sys.spawn(push_throttler, push_target{writer, recorder, {}, 0}, limits{}));
  mono_time start = vs.now();

  push_status enable(std::chrono::seconds throttle = 5s) {
    push_config c;
    c.throttle = throttle;
    auto answer = vs.ask<push_status>(stream, enable_atom_v, c);
    REQUIRE(answer);
    return *answer;
  }

  push_status disable() {
    auto answer = vs.ask<push_status>(stream, disable_atom_v);
    REQUIRE(answer);
    return *answer;
  }

  push_status status() {
    auto answer = vs.ask<push_status>(stream, status_atom_v);
    REQUIRE(answer);
    return *answer;
  }

  void raise(alert a) {
    caf::anon_send(stream, alert_atom_v, share(std::move(a)));
    vs.settle();
  }
};

} // namespace

TEST_CASE("nothing is pushed before enable, and everything after it") {
  stream_fixture f;
  f.raise(error_alert(1));
  CHECK(f.lines->empty());
  const auto on = f.enable();
  CHECK(on.config.enabled);
  CHECK(on.notify_count == 0);
  f.raise(error_alert(2));
  REQUIRE(f.lines->size() == 1);
  CHECK((*f.lines)[0].json().at("method") == "notifications/message");
  CHECK((*f.lines)[0].data().at("id") == "alert_2");
  CHECK((*f.lines)[0].at == f.start);
  CHECK(f.status().notify_count == 1);
}

TEST_CASE("a batch leaves on its timer, with no further event, and no timer is left") {
  stream_fixture f;
  f.enable();
  for (std::uint64_t i = 1; i <= 10; ++i)
    f.raise(error_alert(i));
  CHECK(f.vs.timers() == 1);
  f.vs.advance(4'999ms);
  CHECK(f.lines->size() == 1);
  CHECK(f.status().pending == 9);
  f.vs.advance(1ms);
  REQUIRE(f.lines->size() == 2);
  CHECK((*f.lines)[1].at == f.start + 5s);
  CHECK((*f.lines)[1].data().at("alerts").size() == 9);
  CHECK(f.vs.timers() == 0);
  f.vs.advance(300s);
  CHECK(f.lines->size() == 2);
}

TEST_CASE("disable stops at once; the old timer does nothing, not even after enable") {
  stream_fixture f;
  f.enable();
  f.raise(error_alert(1));
  f.raise(error_alert(2));
  f.raise(error_alert(3));
  CHECK(f.disable().pending_cleared == 2);
  f.vs.advance(1s);
  f.enable();
  f.raise(error_alert(4));
  f.raise(error_alert(5));
  REQUIRE(f.lines->size() == 2);
  f.vs.advance(4s);
  CHECK(f.lines->size() == 2);
  f.vs.advance(1s);
  REQUIRE(f.lines->size() == 3);
  CHECK((*f.lines)[2].at == f.start + 6s);
}

TEST_CASE("a throttler that has ended leaves no timer behind") {
  stream_fixture f;
  f.enable();
  f.raise(error_alert(1));
  f.raise(error_alert(2));
  REQUIRE(f.vs.timers() == 1);
  caf::anon_send_exit(f.stream, caf::exit_reason::user_shutdown);
  f.vs.settle();
  CHECK(f.vs.timers() == 0);
}

TEST_CASE("reconfiguring to a shorter throttle moves the batch forward") {
  stream_fixture f;
  f.enable(60s);
  f.raise(error_alert(1));
  f.raise(error_alert(2));
  f.vs.advance(1s);
  f.enable(3s);
  f.vs.advance(2s);
  REQUIRE(f.lines->size() == 2);
  CHECK((*f.lines)[1].at == f.start + 3s);
  CHECK(f.status().notify_count == 1);
}

TEST_CASE("a storm is held to 12 notifications a minute and leaves as batches") {
  stream_fixture f;
  f.enable(1s);
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    f.raise(error_alert(i % 700));
    f.vs.advance(100ms);
  }
  for (std::size_t i = 12; i < f.lines->size(); ++i)
    CHECK((*f.lines)[i].at - (*f.lines)[i - 12].at >= 60s);
  CHECK(f.lines->size() == f.status().notify_count);
  CHECK(f.lines->size() > 50);
}

TEST_CASE("a writer above its cap holds notifications, which then leave as one batch") {
  stream_fixture f;
  f.enable();
  caf::anon_send(f.stream, congested_atom_v, true);
  f.raise(error_alert(1));
  f.raise(error_alert(2));
  f.vs.advance(20s);
  CHECK(f.lines->empty());
  CHECK(f.vs.timers() == 0);
  caf::anon_send(f.stream, congested_atom_v, false);
  f.vs.settle();
  REQUIRE(f.lines->size() == 1);
  CHECK((*f.lines)[0].data().at("alerts").size() == 2);
}

TEST_CASE("logging/setLevel filters as well") {
  stream_fixture f;
  f.enable();
  caf::anon_send(f.stream, level_atom_v, level_floor::error);
  f.raise(with_level(error_alert(1), severity::warning));
  CHECK(f.lines->empty());
  CHECK(f.status().suppressed_by.at("level") == 1);
  f.raise(error_alert(2));
  CHECK(f.lines->size() == 1);
}

TEST_CASE("each notification is recorded as an expectation") {
  stream_fixture f;
  f.enable();
  f.raise(error_alert(1));
  f.raise(error_alert(2));
  f.raise(error_alert(3));
  f.vs.advance(5s);
  REQUIRE(f.steps->size() == 2);
  CHECK(*(*f.steps)[0] ==
        nlohmann::json::parse(R"({"expect":"notification","match":{"params":{"data":
          {"title":"TypeError: x is undefined #1","severity":"error"}}}})"));
  const auto& title = (*f.steps)[1]->at("match").at("params").at("data").at("title");
  CHECK(title == (*f.lines)[1].data().at("title"));
}

TEST_CASE("without a recorder nothing is recorded") {
  virtual_system vs;
  const auto lines = std::make_shared<std::vector<written_line>>();
  const auto writer = spawn_recording_writer(vs, lines);
  const auto stream =
      vs.own(vs.sys.spawn(push_throttler, push_target{writer, {}, {}, 0}, limits{}));
  caf::anon_send(stream, enable_atom_v, push_config{});
  caf::anon_send(stream, alert_atom_v, share(error_alert(1)));
  vs.settle();
  CHECK(lines->size() == 1);
}

TEST_CASE("after the client's exit nothing is written, batch pending or not") {
  stream_fixture f;
  f.enable();
  f.raise(error_alert(1));
  f.raise(error_alert(2));
  caf::anon_send_exit(f.stream, caf::exit_reason::user_shutdown);
  f.vs.advance(60s);
  CHECK(f.lines->size() == 1);
}

// Readers of streams against the registry, with every message between the two threads of work
// delivered in a random order that can happen.
#include "actors/streams/stream_registry.hpp"
#include "messages/base/sse_parser.hpp"
#include "tests/unit/support/virtual_system.hpp"
#include "transport/routes/stream_broadcast.hpp"

#include <boost/asio/io_context.hpp>
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace gasoline;

namespace {

constexpr std::uint64_t unsent_cap = 4'000;
constexpr std::uint64_t piece_bytes = 1'500;

/// The body of one response: takes what it is given, and sends it when the test says so.
class slow_body : public http_stream {
 public:
  explicit slow_body(boost::asio::io_context& io) : io_(io) {}

  bool write(std::string bytes) override {
    return write(std::make_shared<const std::string>(std::move(bytes)));
  }

  bool write(std::shared_ptr<const std::string> bytes) override {
    written_after_end = written_after_end || finished;
    if (finished || gone)
      return false;
    if (unsent_ > unsent_cap) {
      drop();
      overflowed = true;
      return false;
    }
    unsent_ += bytes->size();
    text += *bytes;
    return true;
  }

  void finish() override {
    finished = true;
    closed_ = nullptr;
    drained_ = nullptr;
  }

  void abort() override { drop(); }
  std::uint64_t unsent() const override { return unsent_; }
  void on_closed(std::function<void()> handler) override { closed_ = std::move(handler); }
  void on_drained(std::function<void()> handler) override { drained_ = std::move(handler); }

  /// The client has taken everything.
  void drain() {
    unsent_ = 0;
    if (drained_)
      boost::asio::post(io_, drained_);
  }

  /// The client has gone.
  void drop() {
    gone = true;
    drained_ = nullptr;
    if (closed_)
      boost::asio::post(io_, std::exchange(closed_, nullptr));
  }

  std::string text;
  bool finished = false;
  bool gone = false;
  bool overflowed = false;
  bool written_after_end = false;

 private:
  boost::asio::io_context& io_;
  std::uint64_t unsent_ = 0;
  std::function<void()> closed_;
  std::function<void()> drained_;
};

/// One request and what has come of it.
struct visitor {
  std::string last_id; // what it came with; empty: nothing
  bool filters = false;
  bool refused = false;
  std::function<void(http_stream_ptr)> open; // the response waits to begin
  std::shared_ptr<slow_body> body;

  bool is_open() const { return body && !body->finished && !body->gone; }
};

/// What a visitor has read, checked as it goes.
struct reading {
  std::string life;
  std::vector<std::uint64_t> ids;
  std::uint64_t missed = 0;
  std::uint64_t from = 0;
  bool of_other_life = false;
};

std::pair<std::string, std::uint64_t> parts_of(const std::string& id) {
  const auto dash = id.find('-');
  return {id.substr(0, dash), std::stoull(id.substr(dash + 1))};
}

reading read_all(const std::string& text) {
  reading out;
  for (std::size_t at = 0; (at = text.find("\n: ", at)) != std::string::npos;) {
    at += 3;
    const auto line = text.substr(at, text.find('\n', at) - at);
    if (line.find("made anew") != std::string::npos)
      out.of_other_life = true;
    else if (line.ends_with("events are no longer buffered"))
      out.missed += std::stoull(line);
  }
  const auto first = text.find("\nid: ") + 5;
  std::tie(out.life, out.from) = parts_of(text.substr(first, text.find('\n', first) - first));
  sse_parser parser{1U << 20U};
  parser.feed(text, [&](const sse_received& e) {
    const auto [life, id] = parts_of(e.id);
    out.life = out.life.empty() || out.life == life ? life : "two lives";
    out.ids.push_back(id);
  });
  return out;
}

struct broadcast_fixture {
  broadcast_fixture() {
    const auto redaction = std::make_shared<const redaction_engine>(std::vector<redaction_rule>{});
    limit.stream.join_ms = 0; // no timer: only the order of messages counts
    limit.stream.replay_bytes = piece_bytes;
    registry = vs.own(vs.sys.spawn(stream_registry, redaction,
                                   wall_clock{[](mono_time) { return wall_time{}; }},
                                   stream_sharing{}, limit));
    broadcast = std::make_shared<stream_broadcast>(io.get_executor(), registry, limit);
    create();
  }

  ~broadcast_fixture() {
    for (auto& v : visitors)
      if (v->body)
        v->body->drop();
    visitors.clear();
    settle();
  }

  void tell(stream_command command) {
    auto request = std::make_shared<stream_request>();
    request->command = std::move(command);
    request->reply = [](const stream_answer&) {};
    caf::anon_send(registry, stream_atom_v, stream_request_ptr{std::move(request)});
  }

  void create() { tell(create_stream{"s", "sse", 12}); }

  void remove() { tell(delete_stream{"s"}); }

  void publish(bool passes) {
    tell(publish_event{"s", '"' + std::string(60, 'x') + '"', "", passes ? "a" : "b", ""});
  }

  void visit(const std::string& last_id, const std::string& query) {
    auto v = std::make_shared<visitor>();
    v->last_id = last_id;
    v->filters = !query.empty();
    visitors.push_back(v);
    auto given = query;
    if (!last_id.empty())
      given += (query.empty() ? "" : "&") + std::string{"lastEventId="} + last_id;
    const http_request_view head;
    const http_call call{head, "/streams/s/events", given, {}, true, false, {}};
    broadcast->serve("s", {}, call, [v](http_response response) {
      v->refused = !response.stream;
      v->open = std::move(response.stream);
    });
  }

  void begin(visitor& v) {
    if (!v.open)
      return;
    v.body = std::make_shared<slow_body>(io);
    std::exchange(v.open, nullptr)(v.body);
  }

  /// One message of one of the two sides.
  bool step_actors() { return vs.sched.try_run_once(); }
  bool step_io() {
    io.restart();
    return io.poll_one() > 0;
  }

  /// Everything that can happen by itself happens, and every client takes what it is given.
  void settle() {
    for (bool more = true; more;) {
      more = false;
      while (step_actors() || step_io())
        more = true;
      for (auto& v : visitors) {
        if (v->open) {
          begin(*v);
          more = true;
        }
        if (v->is_open() && v->body->unsent() > 0) {
          v->body->drain();
          more = true;
        }
      }
    }
  }

  nlohmann::json health() {
    return **vs.ask<std::shared_ptr<const nlohmann::json>>(registry, health_atom_v);
  }

  limits limit;
  boost::asio::io_context io;
  virtual_system vs;
  stream_registry_actor registry;
  std::shared_ptr<stream_broadcast> broadcast;
  std::vector<std::shared_ptr<visitor>> visitors;
};

/// What holds for every reader, whatever happened.
void check_reading(const visitor& v) {
  RC_ASSERT(!v.body->written_after_end);
  if (v.body->text.empty())
    return;
  const auto seen = read_all(v.body->text);
  RC_ASSERT(seen.life != "two lives");
  std::uint64_t at = seen.from;
  std::uint64_t gaps = 0;
  for (const auto id : seen.ids) {
    RC_ASSERT(id > at); // once, and in order
    gaps += id - at - 1;
    at = id;
  }
  RC_ASSERT(v.filters || gaps <= seen.missed); // what is missing was said
}

/// What holds for a reader that is still there when nothing more happens.
void check_complete(const visitor& v, const std::string& life, std::uint64_t newest) {
  const auto seen = read_all(v.body->text);
  RC_ASSERT(seen.life == life); // those of an earlier life were let go
  RC_ASSERT(v.filters || newest - seen.from == seen.ids.size() + seen.missed);
  const bool came_from_other =
      v.last_id.find('-') != std::string::npos && parts_of(v.last_id).first != life;
  RC_ASSERT(seen.of_other_life || !came_from_other);
}

void random_step(broadcast_fixture& f, std::vector<std::string>& known_ids) {
  const auto pick = [&]() -> visitor* {
    if (f.visitors.empty())
      return nullptr;
    return f.visitors[*rc::gen::inRange<std::size_t>(0, f.visitors.size())].get();
  };
  switch (*rc::gen::inRange(0, 16)) {
  case 0:
  case 1:
  case 2:
    f.publish(*rc::gen::arbitrary<bool>());
    return;
  case 3:
  case 4:
  case 5:
    f.step_actors();
    return;
  case 6:
  case 7:
  case 8:
    f.step_io();
    return;
  case 9:
    f.visit("", "");
    return;
  case 10:
    f.visit(*rc::gen::elementOf(known_ids),
            *rc::gen::elementOf(std::vector<std::string>{"", "topic=a"}));
    return;
  case 11:
    if (auto* v = pick())
      f.begin(*v);
    return;
  case 12:
  case 13:
    if (auto* v = pick(); v && v->is_open())
      v->body->drain();
    return;
  case 14:
    if (auto* v = pick(); v && v->is_open()) {
      if (!v->body->text.empty())
        if (const auto seen = read_all(v->body->text); !seen.ids.empty())
          known_ids.push_back(seen.life + '-' + std::to_string(seen.ids.back()));
      v->body->drop();
    }
    return;
  default:
    if (*rc::gen::inRange(0, 3) == 0) {
      f.remove();
      f.create();
    } else {
      f.tell(purge_stream{"s"});
    }
  }
}

} // namespace

TEST_CASE("whatever comes between, readers get all there is once and in order, or are told") {
  const bool holds = rc::check([] {
    broadcast_fixture f;
    std::vector<std::string> known_ids{"0", "3", "00000001-2"};
    const auto steps = *rc::gen::inRange(1, 120);
    for (int i = 0; i < steps; ++i)
      random_step(f, known_ids);
    f.settle();
    f.visit("", "");
    f.settle();
    const auto now = read_all(f.visitors.back()->body->text);
    for (const auto& v : f.visitors) {
      RC_ASSERT(v->refused || v->body);
      if (v->refused)
        continue;
      check_reading(*v);
      if (v->is_open())
        check_complete(*v, now.life, now.from);
    }
    // Nothing is left of those who have gone.
    for (const auto& v : f.visitors)
      if (v->is_open())
        v->body->drop();
    f.settle();
    RC_ASSERT(f.health().at("named_streams").at("taps") == 0);
  });
  CHECK(holds);
}

TEST_CASE("a reader whose response begins after its stream was deleted is let go") {
  broadcast_fixture f;
  f.visit("", "");
  while (f.step_actors() || f.step_io()) {
  }
  REQUIRE(f.visitors.front()->open);
  f.remove();
  while (f.step_actors() || f.step_io()) {
  }
  f.settle();
  CHECK(f.visitors.front()->body->finished);
  CHECK(f.visitors.front()->body->text.empty());
}

TEST_CASE("a reader that is behind holds nothing that the buffer has dropped, and is told") {
  broadcast_fixture f;
  const auto run = [&] {
    while (f.step_actors() || f.step_io()) {
    }
  };
  for (int i = 0; i < 12; ++i)
    f.publish(true);
  f.visit("0", "");
  run();
  auto& v = *f.visitors.front();
  f.begin(v);
  run();
  const auto sent = v.body->text;
  CHECK(read_all(sent).ids.size() < 12);
  for (int i = 0; i < 200; ++i)
    f.publish(true);
  run();
  CHECK(v.body->text == sent);
  f.settle();
  const auto seen = read_all(v.body->text);
  CHECK(seen.missed > 100);
  CHECK(seen.ids.size() + seen.missed == 212);
  CHECK(seen.ids.back() == 212);
}

#include "actors/frames/frame_resolver.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;

namespace {

constexpr const char* page_origin = "http://localhost:5173";

class open_fetch final : public http_fetch {
 public:
  explicit open_fetch(std::shared_ptr<int> open) : open_(std::move(open)) { ++*open_; }
  open_fetch(const open_fetch&) = delete;
  open_fetch& operator=(const open_fetch&) = delete;
  ~open_fetch() override { --*open_; }
  void cancel() override {}

 private:
  std::shared_ptr<int> open_; ///< outlives the fetcher: actors end after it
};

/// Keeps what is asked for; a test answers.
class hand_fetcher final : public http_fetcher {
 public:
  std::shared_ptr<http_fetch> start(fetch_request request, fetch_reader reader) override {
    requests.push_back(std::move(request));
    readers.push_back(std::move(reader));
    return std::make_shared<open_fetch>(open);
  }

  void answer(std::size_t index, const std::string& body, int status = 200) {
    caf::anon_send(readers[index], open_atom_v, fetch_head{status, {}});
    caf::anon_send(readers[index], receive_atom_v, body);
    caf::anon_send(readers[index], finished_atom_v);
  }

  std::vector<fetch_request> requests;
  std::vector<fetch_reader> readers;
  std::shared_ptr<int> open = std::make_shared<int>(0);
};

struct sink_state {
  static inline const char* name = "sink";
};

redactor_actor::behavior_type sink(redactor_actor::stateful_pointer<sink_state>,
                                   std::vector<raw_event>* seen) {
  return {
      [](health_atom) { return std::make_shared<const nlohmann::json>(); },
      [seen](batch_atom, const raw_batch_ptr& batch) {
        for (const auto& e : batch->events)
          seen->push_back(e);
        batch->ticket = nullptr;
      },
  };
}

struct resolver_fixture {
  resolver_fixture()
      : fetcher(std::make_shared<hand_fetcher>()),
        next(system.own(system.sys.spawn(sink, &seen))),
        resolver(system.own(
            system.sys.spawn(frame_resolver, next, script_sources{fetcher, true}, limits{}))) {}

  /// Sends one error; answers whether its POST was answered at once.
  bool post(const std::string& message, const std::string& file) {
    auto batch = std::make_shared<raw_batch>();
    raw_event e;
    e.message = message;
    e.stack = message + "\n    at f (" + page_origin + file + ":1:1)";
    batch->events.push_back(e);
    batch->origin = page_origin;
    bool answered = false;
    batch->ticket = std::make_shared<const ingest_ticket>([&answered] { answered = true; });
    caf::anon_send(resolver, batch_atom_v, std::move(batch));
    system.settle();
    return answered;
  }

  std::vector<raw_event> seen;
  std::shared_ptr<hand_fetcher> fetcher;
  virtual_system system; ///< before what is above is gone, its actors end
  redactor_actor next;
  frame_resolver_actor resolver;
};

const std::string script = "x\n//# sourceMappingURL=a.js.map";
const std::string map = R"({"version":3,"sources":["src/a.js"],"names":[],"mappings":"AAEA"})";

TEST_CASE_FIXTURE(resolver_fixture, "an error waits for its map, its POST does not") {
  CHECK(post("one", "/a.js"));
  CHECK(seen.empty());
  REQUIRE(fetcher->requests.size() == 1);
  CHECK(fetcher->requests[0].url == "http://localhost:5173/a.js");
  CHECK(fetcher->requests[0].local_only);
  fetcher->answer(0, script);
  system.settle();
  REQUIRE(fetcher->requests.size() == 2);
  CHECK(fetcher->requests[1].url == "http://localhost:5173/a.js.map");
  fetcher->answer(1, map);
  system.settle();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].stack == "one\n    at f (src/a.js:3:1)");
  CHECK(*fetcher->open == 0);
  CHECK(post("two", "/a.js"));
  REQUIRE(seen.size() == 2);
  CHECK(seen[1].stack == "two\n    at f (src/a.js:3:1)");
}

TEST_CASE_FIXTURE(resolver_fixture, "what comes behind a held error keeps its place") {
  post("one", "/a.js");
  post("two", "/b.js");
  fetcher->answer(1, "plain");
  system.settle();
  CHECK(seen.empty());
  system.advance(300ms);
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].message == "one");
  CHECK(seen[0].fields == R"("unmapped":"a.js was not answered in time")");
  CHECK(seen[1].fields.empty());
}

TEST_CASE_FIXTURE(resolver_fixture, "a map that is late is told of") {
  post("one", "/a.js");
  fetcher->answer(0, script);
  system.settle();
  CHECK(seen.empty());
  system.advance(300ms);
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].fields == R"("unmapped":"a.js was not answered in time")");
  fetcher->answer(1, map);
  system.settle();
  CHECK(post("two", "/a.js"));
  CHECK(seen[1].stack == "two\n    at f (src/a.js:3:1)");
}

TEST_CASE_FIXTURE(resolver_fixture, "who asks is told when what was held has been handled") {
  CHECK(*system.ask<bool>(resolver, flush_atom_v));
  post("one", "/a.js");
  CHECK_FALSE(system.ask<bool>(resolver, flush_atom_v));
  fetcher->answer(0, "plain");
  system.settle();
  CHECK(*system.ask<bool>(resolver, flush_atom_v));
}

TEST_CASE_FIXTURE(resolver_fixture, "the end passes on what is held and ends every fetch") {
  post("one", "/a.js");
  CHECK(*fetcher->open == 1);
  caf::anon_send_exit(resolver, caf::exit_reason::user_shutdown);
  system.settle();
  CHECK(seen.size() == 1);
  CHECK(*fetcher->open == 0);
}

} // namespace

#include "actors/ingest/ingest.hpp"
#include "tests/unit/support/alert_probe.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;

namespace {

struct keeper_state {
  static inline const char* name = "keeper";
};

using batch_list = std::vector<raw_batch_ptr>;

/// Keeps each batch, and with it the ticket, until a test lets it go.
redactor_actor::behavior_type keeper(redactor_actor::stateful_pointer<keeper_state>,
                                     const std::shared_ptr<batch_list>& kept) {
  return {
      [](health_atom) { return std::make_shared<const nlohmann::json>(); },
      [kept](batch_atom, const raw_batch_ptr& batch) { kept->push_back(batch); },
  };
}

struct ingest_fixture {
  ingest_fixture()
      : hub(system),
        next(system.own(system.sys.spawn(keeper, kept))),
        target(system.own(system.sys.spawn(
            ingest, next, hub.hub, [](mono_time) { return wall_time{}; }, limits{},
            std::make_shared<const redaction_engine>(std::vector<redaction_rule>{}, limits{}),
            hook_secrets{}, std::size_t{0}))) {}

  /// Posts that many entries, whose messages begin with the name; it is noted when it is answered.
  void post(const std::string& name, int entries) {
    auto body = nlohmann::json::array();
    for (int i = 0; i < entries; ++i)
      body.push_back({{"level", "info"}, {"message", name + std::to_string(i)}});
    auto request = std::make_shared<ingest_request>();
    request->format = "logs";
    request->body = nlohmann::json{{"entries", body}}.dump();
    request->reply = [this, name](const ingest_answer& a) {
      CHECK(a.status == 200);
      answered.push_back(name);
    };
    caf::anon_send(target, ingest_atom_v, std::move(request));
    system.settle();
  }

  /// Handles the batches that have come; answers the first message of each.
  std::vector<std::string> handle() {
    std::vector<std::string> first;
    for (auto& batch : std::exchange(*kept, {})) {
      first.push_back(batch->events.front().message);
      handled += batch->events.size();
      batch.reset();
    }
    system.settle();
    return first;
  }

  std::shared_ptr<batch_list> kept = std::make_shared<batch_list>();
  std::vector<std::string> answered;
  std::size_t handled = 0;
  virtual_system system;
  alert_probe hub;
  redactor_actor next;
  ingest_actor target;
};

using texts = std::vector<std::string>;

TEST_CASE_FIXTURE(ingest_fixture,
                  "a large POST is sent on by slices, and answered behind the last") {
  post("whole", 512);
  CHECK(handle() == texts{"whole0"});
  CHECK(answered == texts{"whole"});
  post("large", 513);
  for (const auto* first : {"large0", "large128", "large256", "large384"}) {
    CHECK(handle() == texts{first});
    CHECK(answered == texts{"whole"});
  }
  CHECK(handle() == texts{"large512"});
  CHECK(answered == texts{"whole", "large"});
  CHECK(handled == 1025);
  CHECK(handle().empty());
}

TEST_CASE_FIXTURE(ingest_fixture, "large POSTs take turns, and small ones pass them") {
  post("a", 640);
  post("b", 513);
  post("small", 100);
  CHECK(handle() == texts{"a0", "small0"});
  CHECK(answered == texts{"small"});
  std::string order;
  for (auto first = handle(); !first.empty(); first = handle()) {
    CHECK(first.size() == 1);
    order += first.front() + ' ';
  }
  CHECK(order == "b0 a128 b128 a256 b256 a384 b384 a512 b512 ");
  CHECK(answered == texts{"small", "a", "b"});
  post("later", 513);
  while (!handle().empty())
    ;
  CHECK(answered.back() == "later");
  CHECK(handled == 640 + 513 + 100 + 513);
}

TEST_CASE_FIXTURE(ingest_fixture, "slices are bounded in bytes, and none is empty") {
  auto body = nlohmann::json::array();
  for (int i = 0; i < 20; ++i)
    body.push_back({{"level", "info"}, {"message", std::string(9'000, 'x')}});
  auto request = std::make_shared<ingest_request>();
  request->format = "logs";
  request->body = nlohmann::json{{"entries", body}}.dump();
  request->reply = [this](const ingest_answer&) { answered.emplace_back("done"); };
  caf::anon_send(target, ingest_atom_v, std::move(request));
  system.settle();
  std::size_t slices = 0;
  for (; !kept->empty(); ++slices) {
    REQUIRE(kept->size() == 1);
    CHECK(kept->front()->events.size() <= 3);
    CHECK_FALSE(kept->front()->events.empty());
    handle();
  }
  CHECK(slices == 7);
  CHECK(handled == 20);
  CHECK(answered == texts{"done"});
}

TEST_CASE_FIXTURE(ingest_fixture, "what is left of a POST is answered when the engine ends") {
  post("large", 600);
  kept->clear();
  caf::anon_send_exit(target, caf::exit_reason::user_shutdown);
  system.settle();
  kept->clear();
  system.settle();
  CHECK(answered == texts{"large"});
}

} // namespace

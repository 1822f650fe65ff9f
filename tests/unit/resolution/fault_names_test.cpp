#include "actors/resolution/fault_names.hpp"
#include "config/limits.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace gasoline;
using namespace gasoline::test;

namespace {

event console_error(literal fields, literal stack, literal fault) {
  event e;
  e.level = log_level::error;
  e.message = literal{"TypeError: cart.total is not a function"};
  e.stack = stack;
  e.fields = fields;
  e.fault = fault;
  return e;
}

constexpr literal place{"at total (http://localhost:3000/src/cart.js:41:7)"};
constexpr literal key{"error:TypeError: cart.total is not a function in total @ /src/cart.js"};

} // namespace

TEST_CASE("fault_names: console errors of many documents are named once") {
  const limits limit;
  const std::vector<event> told{console_error(R"("page_id":"p1")", place, key),
                                console_error(R"("page_id":"p2")", place, key)};
  fault_names names{limit};
  const auto* first = names.of(told[0]);
  REQUIRE(first);
  CHECK(first->raises_alert);
  CHECK(names.of(told[1]) == first);
  CHECK(names.size() == 1);
}

TEST_CASE("fault_names: with a stack it is an error, without one a line") {
  const limits limit;
  const std::vector<event> told{console_error("", place, key), console_error("", "", key)};
  fault_names names{limit};
  REQUIRE(names.of(told[0]));
  REQUIRE(names.of(told[1]));
  CHECK(names.of(told[0])->raises_alert);
  CHECK_FALSE(names.of(told[1])->raises_alert);
  CHECK(names.of(told[0])->number == 0);
  CHECK(names.of(told[1])->number == 1);
}

TEST_CASE("fault_names: each event has the fault that it has when it is named alone") {
  const limits limit;
  std::vector<event> told{console_error(R"("file":"/src/a.js")", "", ""),
                          console_error(R"("file":"/src/b.js")", "", ""),
                          exception_event("Uncaught Error: no", "at f (http://localhost/a.js:1:1)"),
                          request_event("GET", "/api/items/7", 500),
                          request_event("POST", "/api/items/7", 500)};
  auto failed = console_error(R"("filename":"/src/a.ts","lineno":3)", "", key);
  failed.build = build_state::failed;
  told.push_back(failed);
  failed.fields = literal{R"("filename":"/src/b.ts","lineno":3)"};
  told.push_back(failed);
  fault_names names{limit};
  for (const auto& e : told) {
    const auto alone = name_fault(e, limit);
    const auto* named = names.of(e);
    REQUIRE(alone);
    REQUIRE(named);
    CHECK(named->key == alone->key);
    CHECK(named->raises_alert == alone->raises_alert);
  }
}

#include "tests/unit/support/client_probe.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <optional>

using namespace gasoline;
using namespace gasoline::test;

namespace {

/// With what reason the engine ends, once it does.
std::optional<caf::error> reason_of(virtual_engine& engine) {
  std::optional<caf::error> out;
  engine.vs.self->receive([&](const caf::down_msg& down) { out = down.reason; },
                          caf::after(std::chrono::seconds{0}) >> [] {});
  return out;
}

} // namespace

TEST_CASE("an engine that is told to end ends without an error") {
  virtual_engine engine;
  engine.vs.self->monitor(engine.handle);
  caf::anon_send_exit(engine.handle, caf::exit_reason::user_shutdown);
  engine.vs.settle();
  const auto reason = reason_of(engine);
  REQUIRE(reason);
  CHECK_FALSE(*reason);
  CHECK(*engine.failures == 0);
}

TEST_CASE("an engine one of whose actors dies ends with an error") {
  for (const auto why : {caf::exit_reason::kill, caf::exit_reason::unhandled_exception}) {
    virtual_engine engine;
    engine.vs.self->monitor(engine.handle);
    caf::anon_send_exit(engine.ingest, why);
    engine.vs.settle();
    const auto reason = reason_of(engine);
    REQUIRE(reason);
    CHECK(*reason);
    CHECK(*engine.failures == 1);
  }
}

TEST_CASE(
    "an engine that lives as long as its client ends with an error when the client's actor dies") {
  for (const bool dies : {false, true}) {
    CAPTURE(dies);
    settings config;
    virtual_engine engine{config, true};
    engine.vs.self->monitor(engine.handle);
    client_probe client{engine};
    if (dies)
      caf::anon_send_exit(client.session, caf::exit_reason::unhandled_exception);
    else
      caf::anon_send(client.session, closed_atom_v);
    engine.vs.settle();
    const auto reason = reason_of(engine);
    REQUIRE(reason);
    CHECK(static_cast<bool>(*reason) == dies);
  }
}

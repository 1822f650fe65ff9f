#pragma once

#include "actors/base/work_queue.hpp"
#include "actors/mcp/protocol/request_state.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "config/limits.hpp"
#include "messages/alert_actors.hpp"
#include "messages/browser/browser_actors.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gasoline {

struct mcp_registry;

/// The actors of an engine that requests of clients ask. A null handle: that actor is not there.
struct engine_view {
  telemetry_store_actor store;
  mark_log_actor marks;
  frame_resolver_actor frames; ///< null: nothing waits for source maps
  noise_filter_actor noise;
  ci_monitor_actor ci;
  stream_registry_actor streams;
  alert_ledger_actor alerts;
  work_queue_actor analyses;
  browser_actor browser;  ///< null: this engine drives none
  caf::actor_addr engine; ///< answers `health_atom`
};

/// The limits that a client and its tools are given.
using mcp_client_limits =
    limits_of<alert_room, client_room, entry_room, noise_room, push_room, result_room, stream_room>;

/// What every client of an engine works with.
struct client_environment {
  engine_view engine;
  recorder_actor recorder; ///< null: nothing is recorded
  std::shared_ptr<const redaction_engine> redaction;
  std::shared_ptr<const mcp_registry> registry;   ///< what can be listed and called
  std::shared_ptr<const request_state_seal> seal; ///< signs `requestState`
  std::vector<std::string> toolsets;
  wall_clock clock;
  mcp_client_limits limit;
};

} // namespace gasoline

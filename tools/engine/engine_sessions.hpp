#pragma once

#include "actors/agents/session/session_services.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "config/settings.hpp"
#include "messages/agents/session_actors.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>

namespace gasoline {

/// The agent sessions of a live engine.
struct engine_sessions {
  session_registry_actor registry;      ///< null: `problem` says why no sessions are kept
  std::shared_ptr<session_links> links; ///< to be set on the thread that runs the actors
  std::string problem;
};

/// Spawns the registry; the trace is `trace.db` in the state directory, which this engine must own.
/// `io` is run by the thread that runs the actors.
engine_sessions spawn_sessions(boost::asio::io_context& io, caf::actor_system& system,
                               const settings& config,
                               std::shared_ptr<const redaction_engine> redaction,
                               std::shared_ptr<const mcp_registry> offers, wall_clock clock);

/// What an engine without a state directory of its own has instead.
engine_sessions no_sessions();

} // namespace gasoline

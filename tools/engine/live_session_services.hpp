#pragma once

#include "actors/agents/session/session_services.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>

namespace gasoline {

/// The services of a live engine's agent sessions: HTTPS on the thread of `io`, which runs the
/// actors and outlives the services, and provider keys from the environment (`ANTHROPIC_API_KEY`,
/// `OPENAI_API_KEY`) or the `key_file` of the settings. Fill in `links` before the first session is
/// made.
std::shared_ptr<session_services>
live_session_services(boost::asio::io_context& io, caf::actor_system& system,
                      const settings& config, std::shared_ptr<const redaction_engine> redaction,
                      std::shared_ptr<const mcp_registry> offers, wall_clock clock,
                      std::shared_ptr<const session_links> links);

} // namespace gasoline

#include "tools/engine/engine_sessions.hpp"

#include "actors/agents/registry/session_registry.hpp"
#include "tools/engine/live_session_services.hpp"

#include <utility>

namespace gasoline {
namespace {

constexpr const char* trace_file = "trace.db";

} // namespace

engine_sessions spawn_sessions(boost::asio::io_context& io, caf::actor_system& system,
                               const settings& config,
                               std::shared_ptr<const redaction_engine> redaction,
                               std::shared_ptr<const mcp_registry> offers, wall_clock clock) {
  engine_sessions out;
  out.links = std::make_shared<session_links>();
  session_registry_setup setup;
  setup.trace_file = config.state_dir / trace_file;
  setup.services = live_session_services(io, system, config, std::move(redaction),
                                         std::move(offers), std::move(clock), out.links);
  setup.limit = config.limit;
  out.registry = system.spawn(session_registry, std::move(setup));
  return out;
}

engine_sessions no_sessions() {
  engine_sessions out;
  out.problem = "This engine keeps no sessions, for its state directory belongs to another engine "
                "or cannot be written; name a directory with --state-dir.";
  return out;
}

} // namespace gasoline

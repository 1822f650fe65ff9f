#pragma once

#include "actors/redaction/redaction_engine.hpp"
#include "config/settings.hpp"
#include "messages/agents/http_fetch.hpp"
#include "messages/agents/session_actors.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gasoline {

struct mcp_registry;

/// Actors that exist only after the services that need them: set on the thread that runs the
/// actors, before the first session is made. Without them `delegate` and the engine's own tools
/// answer that they are not available.
struct session_links {
  session_registry_actor registry;
  engine_actor engine; ///< whose tools sessions use
};

/// What the services of sessions are made of.
struct session_services_setup {
  caf::actor_system* system = nullptr; ///< outlives the services
  settings config;
  std::shared_ptr<const redaction_engine> redaction; ///< of what tools answer
  std::shared_ptr<const mcp_registry> offers;        ///< the engine's own tools are among them
  wall_clock clock;
  std::shared_ptr<http_fetcher> http; ///< null: only the `scripted` provider
  /// The key for a provider; the error is a sentence. Called at each model call, so that a key can
  /// be changed while the engine runs.
  std::function<result_or<std::string>(std::string_view provider)> key_of;
  std::shared_ptr<const session_links> links;
  bool detached = true; ///< tools that may block get threads of their own; tests need none
};

/// The providers, tools, random numbers and clock of an engine's agent sessions.
std::shared_ptr<session_services> make_session_services(session_services_setup setup);

} // namespace gasoline

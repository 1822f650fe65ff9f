#pragma once

#include "config/limits.hpp"
#include "messages/agents/session_actors.hpp"
#include "transport/http/http_router.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// What the routes of agent sessions need. The actor system outlives them.
struct session_front {
  caf::actor_system* system = nullptr;
  session_registry_actor registry; ///< null: `problem` says why there are no sessions
  std::string problem;
  std::string token; ///< of the token file: whoever shows it may have tools that run things; empty:
                     ///< nobody may
  limits_of<http_room, ingest_room, session_room> limit;
};

/// The rows of agent sessions: `GET` and `POST /sessions`, `GET` and `DELETE /sessions/{id}`,
/// `GET /sessions/{id}/messages`, `POST /sessions/{id}/turns`, `POST
/// /sessions/{id}/turns/{id}/cancel`, `POST /sessions/{id}/permissions/{id}`, `GET` and `POST
/// /sessions/{id}/events`, `POST /sessions/{id}/messages/{id}/feedback`, and the WebSocket `GET
/// /sessions/{id}/stream?attach=TOKEN`.
std::vector<http_route> session_routes(session_front front);

} // namespace gasoline

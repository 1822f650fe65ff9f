#pragma once

#include "actors/agents/registry/session_admission.hpp"

namespace gasoline::registry_parts {

/// `GET /sessions/{id}`: what it is, and a token with which one client may open its stream.
answer_promise attach(session_registry_pointer self, const agent_session_id& id,
                      const attach_request& request);

/// A client with that token joins.
session_opening open(session_registry_pointer self, const agent_session_id& id,
                     const std::string& token, frame_port_ptr& port);

/// A client that only listens, subscribed with that frame.
session_opening listen(session_registry_pointer self, const agent_session_id& id,
                       const nlohmann::json& frame, frame_port_ptr& port);

} // namespace gasoline::registry_parts

#pragma once

#include "actors/agents/session/session_release.hpp"

#include <string>
#include <vector>

namespace gasoline::session_parts {

/// `POST /sessions/{id}/events`: what an agent elsewhere did in this session.
answer_promise take_external(agent_session_pointer self, const nlohmann::json& body);

/// `POST /sessions/{id}/messages/{id}/feedback`.
answer_promise feedback(agent_session_pointer self, const agent_message_id& message_id,
                        const json_document& body);

/// An alert was raised; the session keeps what concerns it for the next model call.
void take_alert(agent_session_pointer self, const alert& a);

/// Takes the lines of alerts that no model call has seen.
std::vector<std::string> take_unseen(agent_session_pointer self);

} // namespace gasoline::session_parts

#pragma once

#include "actors/agents/session/session_release.hpp"

#include <string>
#include <vector>

namespace gasoline::session_parts {

using permit_promise = caf::typed_response_promise<bool>;

/// `POST /sessions/{id}/turns`: begins a turn, or has it wait, or refuses it. The same key again is
/// answered as before.
answer_promise submit(agent_session_pointer self, const nlohmann::json& body,
                      const std::string& key);

/// The acceptance of a turn is told once its start is stored.
void note_started_turns(agent_session_pointer self, const std::vector<session_step>& steps);

/// The next turn that waits is started.
void start_queued(agent_session_pointer self);

/// Ends a turn, in flight or waiting; false: there is none of that id.
bool cancel(agent_session_pointer self, const agent_turn_id& turn_id, const std::string& reason);

/// A turn that has not begun ends.
bool cancel_queued(agent_session_pointer self, const agent_turn_id& turn_id,
                   const std::string& reason);

/// A request is known by the turn that waits for it: of this session, or of one of its workers.
permit_promise permit(agent_session_pointer self, const std::string& request_id,
                      permission_decision decision);

/// The actor of the turn in flight has ended.
void handle_turn_down(agent_session_pointer self);

} // namespace gasoline::session_parts

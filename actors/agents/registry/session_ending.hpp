#pragma once

#include "actors/agents/registry/session_admission.hpp"

namespace gasoline::registry_parts {

/// `DELETE /sessions/{id}`: answered once the session and its workers have ended and are forgotten.
answer_promise remove(session_registry_pointer self, const agent_session_id& id);

/// All sessions end, workers first, then the store.
void begin_ending(session_registry_pointer self);

/// A store that cannot write keeps sessions from ending; the program ends nevertheless.
void end_now(session_registry_pointer self);

/// The store, its reader or a session has ended.
void handle_down(session_registry_pointer self, const caf::actor_addr& source);

} // namespace gasoline::registry_parts

#pragma once

#include "actors/agents/registry/session_registry.hpp"

#include <caf/all.hpp>

#include <optional>
#include <string>

namespace gasoline::registry_parts {

/// What the parts of `session_registry` have in common.
using session_registry_pointer = session_registry_actor::stateful_pointer<session_registry_state>;
using answer_promise = caf::typed_response_promise<session_answer>;
using entry = session_registry_state::entry;

wall_time wall_now(session_registry_pointer self);

session_answer not_found(const agent_session_id& id);
session_answer unavailable(const session_registry_state& state);

/// The session, unless it is ending; null: there is none.
const entry* find(const session_registry_state& state, const agent_session_id& id);

/// Why nothing can be done with that session, or nothing.
std::optional<session_answer> fault(const session_registry_state& state,
                                    const agent_session_id& id);

answer_promise answered(session_registry_pointer self, session_answer answer);

/// What a session is about, what it has read, and what its model may do and cost, is its maker's
/// affair, and not that of every page and program that reaches the port.
session_answer admit(session_registry_pointer self, const agent_session_id& id,
                     const session_caller& caller);

} // namespace gasoline::registry_parts

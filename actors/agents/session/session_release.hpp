#pragma once

#include "actors/agents/session/agent_session.hpp"

#include <caf/all.hpp>

#include <functional>
#include <string>
#include <vector>

/// What the parts of `agent_session` have in common: whatever happens is numbered, stored, and only
/// then shown.
namespace gasoline::session_parts {

using agent_session_pointer = agent_session_actor::stateful_pointer<agent_session_state>;
using answer_promise = caf::typed_response_promise<session_answer>;

bool is_root(const agent_session_state& state);
wall_time wall_now(agent_session_pointer self);

/// What happens in this session; the steps become those of its tree.
void emit(agent_session_pointer self, session_steps steps);

/// Something that the engine itself tells of a turn.
void emit_of_turn(agent_session_pointer self, session_event_type kind, agent_turn_id turn_id,
                  nlohmann::json payload);

/// The same of the turn in flight.
void emit_one(agent_session_pointer self, session_event_type kind, nlohmann::json payload);

/// Of the root: numbers the steps; what is stored goes to the store, the rest waits behind it.
void order(agent_session_pointer self, const std::vector<session_step>& steps);

/// Of the root: shows what has been stored.
void release(agent_session_pointer self);

/// Shows released steps to the clients of this session.
void show(agent_session_pointer self, const std::vector<released_step>& steps);

/// Calls `then` once everything emitted so far has been released, or cannot be stored.
void after_release(agent_session_pointer self, std::function<void(bool stored)> then);

/// Nobody waits for what cannot be stored now; it is shown when it can.
void give_up_waiting(agent_session_pointer self);

/// What is answered while nothing can be stored.
session_answer trouble_answer(const std::string& trouble);

/// Answers once what was emitted so far is stored, and says so when it cannot be.
void answer_when_released(agent_session_pointer self, answer_promise promise,
                          session_answer answer);

/// Ends the session once everything has been released.
void finish_closing(agent_session_pointer self);

} // namespace gasoline::session_parts

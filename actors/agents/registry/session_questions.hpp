#pragma once

#include "actors/agents/registry/session_admission.hpp"

#include <utility>

namespace gasoline::registry_parts {

/// Passes a question on to its session, whose answer goes straight to the asker.
template <class... Ts>
answer_promise pass_on(session_registry_pointer self, const agent_session_id& id,
                       Ts&&... question) {
  if (auto wrong = fault(self->state, id))
    return answered(self, std::move(*wrong));
  auto promise = self->make_response_promise<session_answer>();
  self->request(find(self->state, id)->session, caf::infinite, std::forward<Ts>(question)...)
      .then([promise](session_answer& answer) mutable { promise.deliver(std::move(answer)); },
            [promise, id](const caf::error&) mutable { promise.deliver(not_found(id)); });
  return promise;
}

/// A page of the sessions that the caller may use, the newest first.
answer_promise list(session_registry_pointer self, const session_caller& caller,
                    const agent_session_id& before, std::uint64_t most);

/// Ends a turn.
answer_promise cancel_turn(session_registry_pointer self, const agent_session_id& id,
                           const agent_turn_id& turn_id, const std::string& reason);

/// Decides on a permission that a turn has asked for.
answer_promise permit(session_registry_pointer self, const agent_session_id& id,
                      const std::string& request_id, const nlohmann::json& body, bool trusted);

/// A page of finished messages, the oldest first.
answer_promise messages(session_registry_pointer self, const agent_session_id& id,
                        const agent_message_id& before, std::uint64_t limit);

} // namespace gasoline::registry_parts

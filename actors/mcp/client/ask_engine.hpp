#pragma once

#include "actors/mcp/client/request_context.hpp"

#include <utility>

namespace gasoline {

/// Answers a request that the engine can no longer serve: a tool call by its own kind of error, as
/// models read it, every other request by the protocol's.
void answer_shutting_down(const request_context& context);

/// Asks an actor of the engine on behalf of a request; `then` gets the `Answer`, on the session.
/// When that actor is not there any more, the request is answered instead.
template <class Answer, class Handle, class Then, class... Ts>
void ask_engine(const request_context& context, const Handle& target, Then then, Ts... message) {
  if (!target) {
    answer_shutting_down(context);
    return;
  }
  context.session()
      ->request(target, caf::infinite, std::move(message)...)
      .then([then = std::move(then)](const Answer& answer) { then(answer); },
            [context](const caf::error&) { answer_shutting_down(context); });
}

} // namespace gasoline

#pragma once

#include "messages/agents/session_actors.hpp"
#include "messages/base/ask_actor.hpp"
#include "transport/http/head/url_encoding.hpp"
#include "transport/http/rights/bearer_gate.hpp"
#include "transport/routes/route_caller.hpp"
#include "transport/routes/session_answers.hpp"
#include "transport/routes/session_routes.hpp"

#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace gasoline {

/// The session that the path names.
inline agent_session_id session_in(const http_call& call) {
  return agent_session_id{call.parameter("session")};
}

/// What the routes of sessions have in common: asks the registry, or one of its sessions, without
/// holding up the io thread, and answers with what is said. Used on the io thread.
class session_desk : public std::enable_shared_from_this<session_desk> {
 public:
  explicit session_desk(session_front front) : front_(std::move(front)), gate_(front_.token) {}

  const limits_of<http_room, ingest_room, session_room>& limit() const { return front_.limit; }

  /// Who asks. The key of a session may stand where the token would, or in a header of its own.
  session_caller caller_of(const http_call& call) const {
    return route_caller(call, "X-Gasoline-Session-Key");
  }

  /// The same of an event stream, which `EventSource` asks for without headers of its own.
  session_caller reader_of(const http_call& call) const {
    auto out = caller_of(call);
    out.trusted = out.trusted || (!gate_.is_open() && gate_.admits_query(call.query));
    if (out.key.empty())
      out.key = query_parameter(call.query, "session_key").value_or("");
    return out;
  }

  /// Answers with what the registry says to the question.
  template <class... Ts>
  void ask(const http_reply& reply, Ts... question) const {
    ask_for<session_answer>(
        reply, [reply](session_answer& answer) { reply(session_response(answer)); },
        std::move(question)...);
  }

  /// The same for the session that the path names, which this caller may not be allowed to use.
  template <class... Ts>
  void ask_about(const http_call& call, const http_reply& reply, Ts... question) const {
    when_admitted(call, caller_of(call), reply,
                  [desk = shared_from_this(), reply,
                   question = std::make_tuple(std::move(question)...)]() mutable {
                    std::apply([&](auto&... xs) { desk->ask(reply, std::move(xs)...); }, question);
                  });
  }

  /// Calls `then` when this caller may use the session that the path names.
  template <class Then>
  void when_admitted(const http_call& call, session_caller caller, const http_reply& reply,
                     Then then) const {
    ask_for<session_answer>(
        reply,
        [reply, then = std::move(then)](session_answer& admitted) mutable {
          if (admitted.status == session_status::ok)
            then();
          else
            reply(session_response(admitted));
        },
        open_atom_v, session_in(call), std::move(caller));
  }

  /// Calls `then` with the registry's answer; answers 503 when there is none.
  template <class R, class Then, class... Ts>
  void ask_for(const http_reply& reply, Then then, Ts... question) const {
    if (!front_.registry) {
      reply(refused_session(session_status::unavailable, "sessions_unavailable", front_.problem));
      return;
    }
    ask_actor<R>(
        *front_.system, front_.registry, std::move(then),
        [reply] {
          reply(refused_session(session_status::unavailable, "sessions_unavailable",
                                "The engine is ending or its sessions have failed; try again once "
                                "it runs."));
        },
        std::move(question)...);
  }

 private:
  session_front front_;
  bearer_gate gate_;
};

using session_desk_ptr = std::shared_ptr<const session_desk>;

} // namespace gasoline

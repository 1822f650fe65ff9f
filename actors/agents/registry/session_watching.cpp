#include "actors/agents/registry/session_watching.hpp"

#include "actors/agents/session/watcher.hpp"
#include "messages/base/json/json_text.hpp"

#include <utility>

namespace gasoline::registry_parts {
namespace {

using nlohmann::json;

watcher_setup setup_of_client(session_registry_state& state, const agent_session_id& id,
                              frame_port_ptr& port) {
  watcher_setup setup;
  setup.session_id = id;
  if (const auto* e = find(state, id))
    setup.session = e->session;
  setup.reader = state.reader;
  setup.port = std::move(port);
  setup.name = "client-" + std::to_string(++state.clients_opened);
  setup.clock = state.setup->services->clock;
  setup.limit = state.setup->limit;
  return setup;
}

} // namespace

answer_promise attach(session_registry_pointer self, const agent_session_id& id,
                      const attach_request& request) {
  auto& state = self->state;
  if (auto wrong = fault(state, id))
    return answered(self, std::move(*wrong));
  if (!state.tokens->has_room(request.asker, self->clock().now()))
    return answered(self, session_error(session_status::too_many, "too_many_attach_tokens",
                                        "You hold too many attach tokens that were not used. Use "
                                        "them, or ask again in a minute (limits."
                                        "session_attach_tokens)."));
  auto promise = self->make_response_promise<session_answer>();
  self->request(find(state, id)->session, caf::infinite, status_atom_v)
      .then(
          [self, promise, id, request](const session_summary& summary) mutable {
            auto& s = self->state;
            const auto token = s.ids->next(id_kind::attach, wall_now(self));
            s.tokens->add(token, id, request, self->clock().now());
            auto body = to_json_document(summary);
            body["session_id"] = id;
            body["attach_token"] = token;
            body["ws_url"] = request.base + "/sessions/" + id.text() + "/stream?attach=" + token;
            promise.deliver(session_answer{session_status::ok, std::move(body)});
          },
          [promise, id](const caf::error&) mutable { promise.deliver(not_found(id)); });
  return promise;
}

session_opening open(session_registry_pointer self, const agent_session_id& id,
                     const std::string& token, frame_port_ptr& port) {
  auto& state = self->state;
  session_opening out;
  if (state.ending || !state.problem.empty()) {
    out.refusal = unavailable(state);
    return out;
  }
  const auto redeemed = state.tokens->redeem(token, id, self->clock().now());
  if (!redeemed) {
    out.refusal = state.sessions.count(id) == 0
                      ? not_found(id)
                      : session_error(session_status::unauthorized, "invalid_attach_token",
                                      "The attach token is unknown, used or older than a minute. "
                                      "GET /sessions/" +
                                          id.text() + " gives a new one.");
    return out;
  }
  auto setup = setup_of_client(state, id, port);
  setup.trusted = redeemed->trusted;
  out.client = self->spawn(watcher, std::move(setup));
  return out;
}

session_opening listen(session_registry_pointer self, const agent_session_id& id, const json& frame,
                       frame_port_ptr& port) {
  session_opening out;
  if (auto wrong = fault(self->state, id)) {
    out.refusal = std::move(*wrong);
    return out;
  }
  if (auto filter = parse_session_filter(frame.value("filter", json())); !filter) {
    out.refusal =
        session_error(session_status::bad_request, "invalid_filter", filter.error().message);
    return out;
  }
  auto setup = setup_of_client(self->state, id, port);
  setup.only_listens = true;
  out.client = self->spawn(watcher, std::move(setup));
  self->send(out.client, receive_atom_v, dumped(frame));
  return out;
}

} // namespace gasoline::registry_parts

#include "actors/agents/session/session_intake.hpp"

#include "actors/agents/session/alert_lines.hpp"
#include "actors/agents/session/session_turns.hpp"

#include <iterator>
#include <memory>
#include <utility>

namespace gasoline::session_parts {
namespace {

using nlohmann::json;
using type = session_event_type;

/// Results of tools are masked, whoever ran them; the texts of users and models are kept.
void mask_tool_answer(const session_services& services, event_draft& draft) {
  if (!services.masked || (draft.type != type::tool_completed && draft.type != type::tool_failed))
    return;
  for (const char* member : {"result", "message"})
    if (const auto answer = draft.payload.find(member); answer != draft.payload.end())
      *answer = services.masked(*answer);
}

void record_feedback(agent_session_pointer self, answer_promise promise,
                     const agent_message_id& message_id, const json& body) {
  json payload{{"message_id", message_id},
               {"rating", body.value("rating", json(nullptr))},
               {"comment", body.value("comment", json(nullptr))}};
  if (auto fault = payload_fault(type::feedback_recorded, payload)) {
    promise.deliver(session_error(session_status::bad_request, "invalid_feedback", *fault + "."));
    return;
  }
  session_step s;
  s.draft.type = type::feedback_recorded;
  s.draft.actor = "user";
  s.draft.payload = std::move(payload);
  emit(self, std::make_shared<std::vector<session_step>>(1, std::move(s)));
  answer_when_released(self, promise,
                       {session_status::created, {{"message_id", message_id}, {"recorded", true}}});
}

} // namespace

answer_promise take_external(agent_session_pointer self, const json& body) {
  auto& state = self->state;
  auto promise = self->make_response_promise<session_answer>();
  if (state.turn) {
    promise.deliver(session_error(session_status::conflict, "turn_in_flight",
                                  "A turn of the engine itself is in flight in this session."));
    return promise;
  }
  if (!state.trouble.empty()) {
    promise.deliver(trouble_answer(state.trouble));
    return promise;
  }
  auto taken = state.external.read(body);
  if (!taken) {
    promise.deliver(
        session_error(session_status::bad_request, "invalid_event", taken.error().message));
    return promise;
  }
  state.awake = true;
  auto steps = std::make_shared<std::vector<session_step>>();
  for (auto& one : *taken) {
    session_step s;
    s.draft = std::move(one.draft);
    mask_tool_answer(*state.setup->services, s.draft);
    s.message = std::move(one.message);
    s.tool = std::move(one.tool);
    if (s.tool)
      s.tool->session_id = state.now.id;
    steps->push_back(std::move(s));
  }
  const auto count = body.contains("events") ? body["events"].size() : 1;
  emit(self, std::move(steps));
  answer_when_released(self, promise, {session_status::accepted, {{"accepted", count}}});
  start_queued(self);
  return promise;
}

answer_promise feedback(agent_session_pointer self, const agent_message_id& message_id,
                        const json_document& body) {
  auto promise = self->make_response_promise<session_answer>();
  if (!body->is_object() || (!body->contains("rating") && !body->contains("comment"))) {
    promise.deliver(session_error(session_status::bad_request, "invalid_feedback",
                                  "Send an object with rating (a string or a number), comment (a "
                                  "string), or both."));
    return promise;
  }
  message_query query;
  query.session_id = self->state.now.id;
  query.id = message_id;
  self->request(self->state.setup->reader, caf::infinite, messages_atom_v, query)
      .then(
          [self, promise, message_id, body](const message_list& found) mutable {
            if (found.empty())
              promise.deliver(
                  session_error(session_status::not_found, "message_not_found",
                                "This session has no message " + message_id.text() + "."));
            else
              record_feedback(self, promise, message_id, *body);
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

void take_alert(agent_session_pointer self, const alert& a) {
  auto& state = self->state;
  if (a.update || !state.awake || state.closing ||
      !alert_concerns(a, {state.now.page_url, state.now.workspace_path}))
    return;
  state.unseen.push_back(alert_line(a));
  if (state.unseen.size() > state.setup->limit.session.alerts_unseen)
    state.unseen.pop_front();
  emit_one(self, type::alert_raised, alert_payload(a));
}

std::vector<std::string> take_unseen(agent_session_pointer self) {
  auto& unseen = self->state.unseen;
  std::vector<std::string> lines{std::make_move_iterator(unseen.begin()),
                                 std::make_move_iterator(unseen.end())};
  unseen.clear();
  return lines;
}

} // namespace gasoline::session_parts

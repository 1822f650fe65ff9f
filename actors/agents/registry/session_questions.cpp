#include "actors/agents/registry/session_questions.hpp"

#include "messages/base/utf8.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

namespace gasoline::registry_parts {
namespace {

using nlohmann::json;

/// An entry of a list: no text in it is longer than a line.
json as_list_entry(json entry) {
  constexpr std::size_t line_bytes = 512;
  for (auto& [key, value] : entry.items()) {
    if (!value.is_string() || value.get_ref<const std::string&>().size() <= line_bytes)
      continue;
    auto& text = value.get_ref<std::string&>();
    text.resize(utf8_beginning(text, line_bytes).size());
    text += "…";
  }
  return entry;
}

/// Collects the summaries of a page of sessions.
struct listing {
  std::vector<session_summary> found;
  std::size_t open = 0;
  answer_promise promise;

  bool has_more = false;

  void settle() {
    if (--open > 0)
      return;
    std::sort(found.begin(), found.end(),
              [](const session_summary& a, const session_summary& b) { return a.id > b.id; });
    auto list = json::array();
    for (const auto& summary : found)
      list.push_back(as_list_entry(to_json_document(summary)));
    promise.deliver(session_answer{session_status::ok,
                                   {{"sessions", std::move(list)}, {"has_more", has_more}}});
  }
};

void answer_messages(session_registry_pointer self, answer_promise promise, message_query query) {
  const auto wanted = query.limit;
  ++query.limit; // one more tells whether there are more
  self->request(self->state.reader, caf::infinite, messages_atom_v, query)
      .then(
          [promise, wanted](const message_list& found) mutable {
            const bool more = found.size() > wanted;
            auto out = json::array();
            for (std::size_t i = more ? 1 : 0; i < found.size(); ++i)
              out.push_back(to_json_document(*found[i]));
            promise.deliver(session_answer{session_status::ok,
                                           {{"messages", std::move(out)}, {"has_more", more}}});
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
}

} // namespace

answer_promise list(session_registry_pointer self, const session_caller& caller,
                    const agent_session_id& before, std::uint64_t most) {
  auto& state = self->state;
  if (!state.problem.empty())
    return answered(self, unavailable(state));
  const auto& cap = state.setup->limit.session;
  const auto page = std::min(most == 0 ? cap.page : most, cap.largest_page);
  auto all = std::make_shared<listing>();
  all->promise = self->make_response_promise<session_answer>();
  all->open = 1;
  const auto end = before.empty() ? state.sessions.end() : state.sessions.lower_bound(before);
  for (auto it = std::make_reverse_iterator(end); it != state.sessions.rend(); ++it) {
    const auto& [id, e] = *it;
    if (e.ending || admit(self, id, caller).status != session_status::ok)
      continue;
    if (all->open > page) {
      all->has_more = true;
      break;
    }
    ++all->open;
    self->request(e.session, caf::infinite, status_atom_v)
        .then(
            [all](session_summary& summary) {
              all->found.push_back(std::move(summary));
              all->settle();
            },
            [all](const caf::error&) { all->settle(); });
  }
  auto promise = all->promise;
  all->settle();
  return promise;
}

answer_promise cancel_turn(session_registry_pointer self, const agent_session_id& id,
                           const agent_turn_id& turn_id, const std::string& reason) {
  if (auto wrong = fault(self->state, id))
    return answered(self, std::move(*wrong));
  auto promise = self->make_response_promise<session_answer>();
  self->request(find(self->state, id)->session, caf::infinite, cancel_atom_v, turn_id, reason)
      .then(
          [promise, turn_id](bool known) mutable {
            promise.deliver(known ? session_answer{session_status::accepted,
                                                   {{"turn_id", turn_id}, {"cancelling", true}}}
                                  : session_error(session_status::not_found, "turn_not_in_flight",
                                                  "This session has no turn " +
                                                      turn_id.text().substr(0, 80) +
                                                      " in flight or queued."));
          },
          [promise, id](const caf::error&) mutable { promise.deliver(not_found(id)); });
  return promise;
}

answer_promise permit(session_registry_pointer self, const agent_session_id& id,
                      const std::string& request_id, const json& body, bool trusted) {
  if (auto wrong = fault(self->state, id))
    return answered(self, std::move(*wrong));
  if (!trusted)
    return answered(self,
                    session_error(session_status::unauthorized, "token_needed",
                                  "Permissions are given by who has the token: send "
                                  "'Authorization: Bearer …' with what is in the file 'token' of "
                                  "the state directory."));
  const auto given = body.is_object() ? body.value("decision", json()) : json();
  const auto decision =
      given.is_string() ? parse_name<permission_decision>(given.get<std::string>()) : std::nullopt;
  if (!decision)
    return answered(self, session_error(session_status::bad_request, "invalid_decision",
                                        "Send {\"decision\": one of " +
                                            all_names<permission_decision>() + "}."));
  auto promise = self->make_response_promise<session_answer>();
  self->request(find(self->state, id)->session, caf::infinite, permit_atom_v, request_id, *decision)
      .then(
          [promise, request_id, decision](bool waited) mutable {
            promise.deliver(
                waited
                    ? session_answer{session_status::ok,
                                     {{"request_id", request_id}, {"decision", name_of(*decision)}}}
                    : session_error(session_status::not_found, "request_not_open",
                                    "No permission request " + request_id.substr(0, 80) +
                                        " waits for an answer in this session."));
          },
          [promise, id](const caf::error&) mutable { promise.deliver(not_found(id)); });
  return promise;
}

answer_promise messages(session_registry_pointer self, const agent_session_id& id,
                        const agent_message_id& before, std::uint64_t limit) {
  auto& state = self->state;
  if (auto wrong = fault(state, id))
    return answered(self, std::move(*wrong));
  message_query query;
  query.session_id = id;
  query.before = before;
  query.limit = limit == 0 ? state.setup->limit.session.snapshot_messages
                           : std::min(limit, state.setup->limit.session.messages_page);
  auto promise = self->make_response_promise<session_answer>();
  if (before.empty()) {
    answer_messages(self, promise, query);
    return promise;
  }
  message_query known;
  known.session_id = id;
  known.id = before;
  self->request(state.reader, caf::infinite, messages_atom_v, known)
      .then(
          [self, promise, query](const message_list& found) mutable {
            if (found.empty())
              promise.deliver(
                  session_error(session_status::not_found, "message_not_found",
                                "This session has no message " + query.before.text() + "."));
            else
              answer_messages(self, promise, query);
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

} // namespace gasoline::registry_parts

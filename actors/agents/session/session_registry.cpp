#include "actors/agents/session/session_registry.hpp"

#include "actors/agents/session/agent_session.hpp"
#include "actors/agents/session/session_request.hpp"
#include "actors/agents/session/watcher.hpp"
#include "actors/agents/trace/trace_store.hpp"
#include "actors/base/exception_guard.hpp"
#include "messages/base/json_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using session_registry_pointer = session_registry_actor::stateful_pointer<session_registry_state>;
using answer_promise = caf::typed_response_promise<session_answer>;
using entry = session_registry_state::entry;

wall_time wall_now(session_registry_pointer self) {
  return self->state.setup->services->clock(self->clock().now());
}

session_answer not_found(const std::string& id) {
  return session_error(session_status::not_found, "session_not_found",
                       "There is no session " + id + ". GET /sessions lists all.");
}

session_answer unavailable(const session_registry_state& state) {
  return session_error(session_status::unavailable, "sessions_unavailable",
                       state.problem.empty() ? "The server is ending." : state.problem);
}

/// The session, unless it is ending.
const entry* find(const session_registry_state& state, const std::string& id) {
  const auto it = state.sessions.find(id);
  return it == state.sessions.end() || it->second.ending ? nullptr : &it->second;
}

/// Why nothing can be done with that session, or nothing.
std::optional<session_answer> fault(const session_registry_state& state, const std::string& id) {
  if (state.ending || !state.problem.empty())
    return unavailable(state);
  if (find(state, id) == nullptr)
    return not_found(id);
  return std::nullopt;
}

answer_promise answered(session_registry_pointer self, session_answer answer) {
  auto promise = self->make_response_promise<session_answer>();
  promise.deliver(std::move(answer));
  return promise;
}

/// What a session is about, what it has read, and what its model may do and cost, is its maker's
/// affair, and not that of every page and program that reaches the port.
session_answer admit(session_registry_pointer self, const std::string& id,
                     const session_caller& caller) {
  const auto* e = find(self->state, id);
  if (e == nullptr || caller.trusted || e->owner.knows_key(caller))
    return {};
  if (!e->owner.admits(caller))
    return session_error(session_status::unauthorized, "session_not_yours",
                         "This session was made by somebody else. Send its session_key, or what is "
                         "in the file 'token' of the state directory, as 'Authorization: Bearer "
                         "…'.");
  const auto& services = *self->state.setup->services;
  if (services.costs && services.costs(e->provider))
    return session_error(session_status::unauthorized, "token_needed",
                         "The model of this session is asked with the owner's key: send "
                         "'Authorization: Bearer …' with what is in the file 'token' of the state "
                         "directory.");
  auto refusal = services.tool_fault(e->tools, caller.trusted);
  if (refusal && refusal->status == session_status::unauthorized)
    return std::move(*refusal);
  return {};
}

// ---- making sessions ----

const entry& add_session(session_registry_pointer self, session_summary summary, std::string head,
                         bool stored) {
  auto& state = self->state;
  const auto id = summary.id;
  entry e;
  e.parent_id = summary.parent_id;
  e.root_id = id;
  agent_session_setup setup;
  if (const auto parent = state.sessions.find(e.parent_id); parent != state.sessions.end()) {
    e.root_id = parent->second.root_id;
    e.depth = parent->second.depth + 1;
    e.owner = parent->second.owner;
    ++parent->second.workers;
    setup.root = state.sessions.at(e.root_id).session;
  }
  e.tools = summary.tools;
  e.provider = summary.active_model.substr(0, summary.active_model.find(':'));
  e.text_bytes = session_text_bytes(summary);
  setup.summary = std::move(summary);
  setup.head = std::move(head);
  setup.floor = state.floor;
  setup.stored = stored;
  setup.store = state.store;
  setup.reader = state.reader;
  setup.services = state.setup->services;
  setup.limit = state.setup->limit;
  e.session = self->spawn<caf::monitored>(agent_session, std::move(setup));
  state.actors.emplace(e.session.id(), id);
  return state.sessions.insert_or_assign(id, std::move(e)).first->second;
}

std::uint64_t text_bytes_of_all(const session_registry_state& state) {
  std::uint64_t out = 0;
  for (const auto& [id, e] : state.sessions)
    out += e.text_bytes;
  return out;
}

answer_promise create(session_registry_pointer self, const json& body,
                      const session_caller& caller) {
  auto& state = self->state;
  if (state.ending || !state.problem.empty())
    return answered(self, unavailable(state));
  if (state.sessions.size() >= state.setup->limit.session.count)
    return answered(self, session_error(session_status::unavailable, "too_many_sessions",
                                        "There are " + std::to_string(state.sessions.size()) +
                                            " sessions; delete one first."));
  auto read =
      read_session_request(body, caller.trusted, *state.setup->services, state.setup->limit);
  if (!read)
    return answered(self, std::move(read.error()));
  if (text_bytes_of_all(state) + session_text_bytes(*read) > state.setup->limit.session.text_bytes)
    return answered(self, session_error(session_status::unavailable, "sessions_too_large",
                                        "The prompts and scripts of all sessions together have "
                                        "reached " +
                                            std::to_string(state.setup->limit.session.text_bytes) +
                                            " bytes; delete sessions first."));
  auto summary = std::move(*read);
  summary.created = wall_now(self);
  summary.id = state.ids->next(id_kind::session, summary.created);
  summary.routing_policy_version = to_iso8601(summary.created);
  auto promise = self->make_response_promise<session_answer>();
  self->request(state.store, caf::infinite, create_atom_v, summary)
      .then(
          [self, promise, summary, caller](bool) mutable {
            auto document = to_json_document(summary);
            document["session_id"] = summary.id;
            const auto key = make_maker_key(self->state.setup->services->random);
            document["session_key"] = key;
            if (!self->state.ending) { // else the next start brings it
              const auto id = summary.id;
              add_session(self, std::move(summary), {}, false);
              self->state.sessions.at(id).owner = session_owner{caller, key};
            }
            promise.deliver(session_answer{session_status::created, std::move(document)});
          },
          [self, promise](const caf::error& e) mutable {
            promise.deliver(
                session_error(session_status::unavailable, "trace_unavailable",
                              "The session cannot be stored: " + self->system().render(e)));
          });
  return promise;
}

session_summary worker_summary(session_registry_pointer self, const worker_spec& spec,
                               const session_summary& parent) {
  auto summary = parent;
  summary.created = wall_now(self);
  summary.id = self->state.ids->next(id_kind::session, summary.created);
  summary.parent_id = parent.id;
  if (!spec.model.empty())
    summary.active_model = spec.model;
  summary.system_prompt = spec.system_prompt;
  // A model must not get through a worker what its session was not given.
  if (spec.tools)
    std::erase_if(summary.tools, [&](const std::string& tool) {
      return std::find(spec.tools->begin(), spec.tools->end(), tool) == spec.tools->end();
    });
  summary.script = spec.script;
  summary.cost_so_far_usd = 0;
  summary.turn_count = 0;
  summary.model_calls = 0;
  summary.queue.clear();
  summary.submissions.clear();
  summary.permissions.clear();
  summary.current_turn_id.clear();
  return summary;
}

using worker_promise = caf::typed_response_promise<agent_session_actor>;

void store_worker(session_registry_pointer self, worker_promise promise, session_summary summary) {
  self->request(self->state.store, caf::infinite, create_atom_v, summary)
      .then(
          [self, promise, summary](bool) mutable {
            if (find(self->state, summary.parent_id) == nullptr)
              promise.deliver(caf::make_error(caf::sec::runtime_error, "the session is ending"));
            else
              promise.deliver(add_session(self, std::move(summary), {}, false).session);
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
}

worker_promise spawn_worker(session_registry_pointer self, const worker_spec& spec) {
  auto& state = self->state;
  auto promise = self->make_response_promise<agent_session_actor>();
  const auto* parent = find(state, spec.parent_id);
  if (parent == nullptr || state.ending) {
    promise.deliver(caf::make_error(caf::sec::runtime_error, "the session is ending"));
    return promise;
  }
  const auto& costs = state.setup->services->costs;
  const auto provider = spec.model.substr(0, spec.model.find(':'));
  if (!spec.model.empty() && costs && costs(provider) && !costs(parent->provider)) {
    promise.deliver(caf::make_error(caf::sec::runtime_error,
                                    "the worker's model is asked with the owner's key, and this "
                                    "session was not made for such models; leave out 'model'"));
    return promise;
  }
  if (parent->depth >= state.setup->limit.session.delegate_depth) {
    promise.deliver(caf::make_error(caf::sec::runtime_error,
                                    "workers may be nested " +
                                        std::to_string(state.setup->limit.session.delegate_depth) +
                                        " deep and no deeper; do this task yourself"));
    return promise;
  }
  self->request(parent->session, caf::infinite, status_atom_v)
      .then(
          [self, promise, spec](const session_summary& summary) mutable {
            store_worker(self, promise, worker_summary(self, spec, summary));
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

void load(session_registry_pointer self) {
  self->request(self->state.store, caf::infinite, load_atom_v)
      .await(
          [self](const trace_contents& contents) {
            auto& state = self->state;
            state.floor = contents.head;
            state.ids->raise_floor(contents.head);
            for (const auto& record : contents.sessions) {
              state.ids->raise_floor(record.summary.id);
              add_session(self, record.summary, record.head, true);
            }
          },
          [self](const caf::error& e) { self->state.problem = self->system().render(e); });
}

// ---- asking sessions ----

/// Passes a question on to its session, whose answer goes straight to the asker.
template <class... Ts>
answer_promise pass_on(session_registry_pointer self, const std::string& id, Ts&&... question) {
  if (auto wrong = fault(self->state, id))
    return answered(self, std::move(*wrong));
  auto promise = self->make_response_promise<session_answer>();
  self->request(find(self->state, id)->session, caf::infinite, std::forward<Ts>(question)...)
      .then([promise](session_answer& answer) mutable { promise.deliver(std::move(answer)); },
            [promise, id](const caf::error&) mutable { promise.deliver(not_found(id)); });
  return promise;
}

/// An entry of a list: no text in it is longer than a line.
json as_list_entry(json entry) {
  constexpr std::size_t line_bytes = 512;
  for (auto& [key, value] : entry.items()) {
    if (!value.is_string() || value.get_ref<const std::string&>().size() <= line_bytes)
      continue;
    auto& text = value.get_ref<std::string&>();
    auto end = line_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
      --end; // not within a character
    text.resize(end);
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

/// Ids rise with time, so the newest stand at the end.
answer_promise list(session_registry_pointer self, const session_caller& caller,
                    const std::string& before, std::uint64_t most) {
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

answer_promise attach(session_registry_pointer self, const std::string& id,
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
            body["ws_url"] = request.base + "/sessions/" + id + "/stream?attach=" + token;
            promise.deliver(session_answer{session_status::ok, std::move(body)});
          },
          [promise, id](const caf::error&) mutable { promise.deliver(not_found(id)); });
  return promise;
}

watcher_setup setup_of_client(session_registry_state& state, const std::string& id,
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

session_opening open(session_registry_pointer self, const std::string& id, const std::string& token,
                     frame_port_ptr& port) {
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
                                          id + " gives a new one.");
    return out;
  }
  auto setup = setup_of_client(state, id, port);
  setup.trusted = redeemed->trusted;
  out.client = self->spawn(watcher, std::move(setup));
  return out;
}

/// A client that only listens, subscribed with that frame.
session_opening listen(session_registry_pointer self, const std::string& id, const json& frame,
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

// ---- turns ----

answer_promise cancel_turn(session_registry_pointer self, const std::string& id,
                           const std::string& turn_id, const std::string& reason) {
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
                                                      turn_id.substr(0, 80) +
                                                      " in flight or queued."));
          },
          [promise, id](const caf::error&) mutable { promise.deliver(not_found(id)); });
  return promise;
}

answer_promise permit(session_registry_pointer self, const std::string& id,
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

// ---- messages ----

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

answer_promise messages(session_registry_pointer self, const std::string& id,
                        const std::string& before, std::uint64_t limit) {
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
              promise.deliver(session_error(session_status::not_found, "message_not_found",
                                            "This session has no message " + query.before + "."));
            else
              answer_messages(self, promise, query);
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

// ---- ending ----

bool is_below(const session_registry_state& state, const std::string& id,
              const std::string& ancestor) {
  for (auto it = state.sessions.find(id); it != state.sessions.end();
       it = state.sessions.find(it->second.parent_id))
    if (it->first == ancestor)
      return true;
  return false;
}

/// Ends a session that is to end and has no worker left; workers need their root to the last.
void end_leaf(session_registry_pointer self, const std::string& id, entry& e) {
  auto& state = self->state;
  if (!e.ending || e.workers > 0 || std::exchange(e.told, true))
    return;
  const bool deleted =
      std::any_of(state.removals.begin(), state.removals.end(),
                  [&](const auto& r) { return is_below(state, id, r.session_id); });
  self->send(e.session, closed_atom_v, deleted);
}

/// A session has ended, which its parent may have waited for.
void forget(session_registry_pointer self, const std::string& id) {
  auto& state = self->state;
  const auto gone = state.sessions.extract(id);
  state.setup->services->session_ended(id);
  const auto parent = state.sessions.find(gone.mapped().parent_id);
  if (parent == state.sessions.end())
    return;
  --parent->second.workers;
  end_leaf(self, parent->first, parent->second);
}

void finish_removals(session_registry_pointer self) {
  auto& state = self->state;
  auto& removals = state.removals;
  for (auto it = removals.begin(); it != removals.end();) {
    if (state.sessions.count(it->session_id) > 0) {
      ++it;
      continue;
    }
    self->request(state.store, caf::infinite, remove_atom_v, it->session_id)
        .then(
            [promise = it->promise](bool) mutable {
              promise.deliver(session_answer{session_status::no_content, nullptr});
            },
            [promise = it->promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
    it = removals.erase(it);
  }
}

answer_promise remove(session_registry_pointer self, const std::string& id) {
  auto& state = self->state;
  if (auto wrong = fault(state, id))
    return answered(self, std::move(*wrong));
  auto promise = self->make_response_promise<session_answer>();
  state.removals.push_back({id, promise});
  for (auto& [other, e] : state.sessions)
    if (is_below(state, other, id)) {
      e.ending = true;
      end_leaf(self, other, e);
    }
  return promise;
}

void end_store(session_registry_pointer self) {
  auto& state = self->state;
  if (!state.sessions.empty() || !state.removals.empty())
    return;
  caf::anon_send_exit(state.reader, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(state.store, caf::exit_reason::user_shutdown);
}

/// A store that cannot write keeps sessions from ending; the program ends nevertheless.
void end_now(session_registry_pointer self) {
  for (const auto& [id, e] : self->state.sessions)
    self->send_exit(e.session, caf::exit_reason::kill);
}

void begin_ending(session_registry_pointer self) {
  auto& state = self->state;
  if (state.ending)
    return;
  state.ending = true;
  self->delayed_send(self, std::chrono::milliseconds{state.setup->limit.session.end_ms},
                     tick_atom_v);
  for (auto& [id, e] : state.sessions) {
    e.ending = true;
    end_leaf(self, id, e);
  }
  end_store(self);
}

void handle_down(session_registry_pointer self, const caf::actor_addr& source) {
  auto& state = self->state;
  state.store_ended = state.store_ended || state.store.address() == source;
  state.reader_ended = state.reader_ended || state.reader.address() == source;
  if (state.store_ended && state.reader_ended) {
    self->quit();
    return;
  }
  if (!state.ending && (state.store_ended || state.reader_ended)) {
    state.problem = "The trace store has failed; restart the server.";
    return;
  }
  const auto gone = state.actors.extract(source.id());
  if (gone.empty())
    return;
  forget(self, gone.mapped());
  finish_removals(self);
  if (state.ending)
    end_store(self);
}

// ---- health ----

caf::typed_response_promise<health_part> health(session_registry_pointer self) {
  auto& state = self->state;
  auto promise = self->make_response_promise<health_part>();
  json own{{"count", state.sessions.size()},
           {"clients_opened", state.clients_opened},
           {"attach_tokens", state.tokens->size()}};
  if (const auto& answers = state.setup->services->answers) {
    own["answers_bytes"] = answers->used();
    own["answers_refused"] = answers->refused();
  }
  if (!state.problem.empty())
    own["problem"] = state.problem;
  const auto part = std::make_shared<json>(json{{"sessions", std::move(own)}});
  self->request(state.store, caf::infinite, health_atom_v)
      .then(
          [promise, part](const health_part& store) mutable {
            part->update(*store);
            promise.deliver(health_part{part});
          },
          [promise, part](const caf::error&) mutable { promise.deliver(health_part{part}); });
  return promise;
}

void spawn_store(session_registry_pointer self) {
  auto& state = self->state;
  const auto& setup = *state.setup;
  const auto& services = *setup.services;
  if (setup.detached) {
    state.store = self->spawn<caf::detached + caf::monitored>(
        trace_store, setup.trace_file, services.random, services.clock, setup.limit);
    state.reader = self->spawn<caf::detached + caf::monitored>(trace_reader, setup.trace_file);
    return;
  }
  state.store = self->spawn<caf::monitored>(trace_store, setup.trace_file, services.random,
                                            services.clock, setup.limit);
  state.reader = self->spawn<caf::monitored>(trace_reader, setup.trace_file);
}

} // namespace

session_registry_actor::behavior_type session_registry(session_registry_pointer self,
                                                       session_registry_setup setup) {
  guard_exceptions(self);
  auto& state = self->state;
  state.ids.emplace(setup.services->random);
  state.tokens.emplace(std::chrono::milliseconds{setup.limit.session.attach_ms},
                       setup.limit.session.attach_tokens);
  state.setup = std::move(setup);
  self->set_down_handler([self](const caf::down_msg& down) { handle_down(self, down.source); });
  self->set_exit_handler([self](const caf::exit_msg&) { begin_ending(self); });
  spawn_store(self);
  load(self);
  return {
      [self](health_atom) { return health(self); },
      [self](create_atom, const json_document& body, const session_caller& caller) {
        return create(self, *body, caller);
      },
      [self](open_atom, const std::string& id, const session_caller& caller) {
        return admit(self, id, caller);
      },
      [self](list_atom, const session_caller& caller, const std::string& before,
             std::uint64_t most) { return list(self, caller, before, most); },
      [self](attach_atom, const std::string& id, const attach_request& request) {
        return attach(self, id, request);
      },
      [self](messages_atom, const std::string& id, const std::string& before, std::uint64_t limit) {
        return messages(self, id, before, limit);
      },
      [self](submit_atom, const std::string& id, const json_document& body,
             const std::string& key) { return pass_on(self, id, submit_atom_v, body, key); },
      [self](cancel_atom, const std::string& id, const std::string& turn_id,
             const std::string& reason) { return cancel_turn(self, id, turn_id, reason); },
      [self](permit_atom, const std::string& id, const std::string& request_id,
             const json_document& body,
             bool trusted) { return permit(self, id, request_id, *body, trusted); },
      [self](feedback_atom, const std::string& id, const std::string& message,
             const json_document& body) {
        return pass_on(self, id, feedback_atom_v, message, body);
      },
      [self](external_atom, const std::string& id, const json_document& body) {
        return pass_on(self, id, external_atom_v, body);
      },
      [self](remove_atom, const std::string& id) { return remove(self, id); },
      [self](open_atom, const std::string& id, const std::string& token, frame_port_ptr& port) {
        return open(self, id, token, port);
      },
      [self](follow_atom, const std::string& id, const json_document& frame, frame_port_ptr& port) {
        return listen(self, id, *frame, port);
      },
      [self](spawn_atom, const worker_spec& spec) { return spawn_worker(self, spec); },
      [self](alert_atom, const alert_ptr& a) {
        for (const auto& [id, e] : self->state.sessions)
          if (e.parent_id.empty() && !e.ending)
            self->send(e.session, alert_atom_v, a);
      },
      [self](tick_atom) { end_now(self); },
  };
}

} // namespace gasoline

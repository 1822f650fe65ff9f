#include "actors/agents/registry/session_making.hpp"

#include "actors/agents/registry/session_request.hpp"
#include "actors/agents/session/agent_session.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gasoline::registry_parts {
namespace {

using nlohmann::json;

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

/// Why no session with so many bytes of texts can join the others, or nothing.
std::optional<session_answer> room_refusal(const session_registry_state& state,
                                           std::uint64_t text_bytes) {
  const auto& limit = state.setup->limit.session;
  if (state.sessions.size() >= limit.count)
    return session_error(session_status::unavailable, "too_many_sessions",
                         "There are " + std::to_string(state.sessions.size()) +
                             " sessions; delete one first.");
  for (const auto& [id, e] : state.sessions)
    text_bytes += e.text_bytes;
  if (text_bytes <= limit.text_bytes)
    return std::nullopt;
  return session_error(session_status::unavailable, "sessions_too_large",
                       "The prompts and scripts of all sessions together have reached " +
                           std::to_string(limit.text_bytes) + " bytes; delete sessions first.");
}

session_summary worker_summary(session_registry_pointer self, const worker_spec& spec,
                               const session_summary& parent) {
  auto summary = parent;
  summary.created = wall_now(self);
  summary.id = agent_session_id::next(*self->state.ids, summary.created);
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
  summary.current_turn_id = {};
  return summary;
}

void store_worker(session_registry_pointer self, worker_promise promise, session_summary summary) {
  if (const auto refusal = room_refusal(self->state, session_text_bytes(summary))) {
    promise.deliver(caf::make_error(caf::sec::runtime_error,
                                    refusal->body["error"]["message"].get<std::string>()));
    return;
  }
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

} // namespace

answer_promise create(session_registry_pointer self, const json& body,
                      const session_caller& caller) {
  auto& state = self->state;
  if (state.ending || !state.problem.empty())
    return answered(self, unavailable(state));
  auto read =
      read_session_request(body, caller.trusted, *state.setup->services, state.setup->limit);
  if (!read)
    return answered(self, std::move(read.error()));
  if (auto refusal = room_refusal(state, session_text_bytes(*read)))
    return answered(self, std::move(*refusal));
  auto summary = std::move(*read);
  summary.created = wall_now(self);
  summary.id = agent_session_id::next(*state.ids, summary.created);
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

} // namespace gasoline::registry_parts

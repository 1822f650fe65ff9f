#include "actors/agents/turn/turn.hpp"

#include "actors/agents/turn/conversation.hpp"
#include "actors/base/exception_guard.hpp"

#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using turn_pointer = turn_actor::stateful_pointer<turn_state>;
using std::chrono::milliseconds;

void run(turn_pointer self, turn_actions actions);

mono_time now(turn_pointer self) {
  return self->clock().now();
}

/// Does something later, unless the turn ends first.
template <class Then>
void after(turn_pointer self, std::uint64_t delay_ms, Then then) {
  self->state.timers.start(self, milliseconds{delay_ms}, std::move(then));
}

void fail_call(turn_pointer self, std::string error_class, std::string message) {
  provider_chunk chunk;
  chunk.kind = chunk_kind::failed;
  chunk.failure.error_class = std::move(error_class);
  chunk.failure.message = std::move(message);
  run(self, self->state.machine->on_chunk(chunk, now(self)));
}

std::uint64_t bytes_of(const message_list& conversation) {
  std::uint64_t out = 0;
  for (const auto& message : conversation)
    out += sizeof(session_message) + content_bytes(message->content);
  return out;
}

void start_call(turn_pointer self) {
  auto& state = self->state;
  auto all = state.history;
  all.insert(all.end(), state.machine->messages().begin(), state.machine->messages().end());
  if (!state.share.hold(bytes_of(all)))
    return fail_call(self, "too_large",
                     "The conversations of all turns under way have reached " +
                         std::to_string(state.share.most()) +
                         " bytes (limits.session_turns_bytes); try again when others have ended.");
  auto call = std::make_shared<model_call>();
  const auto& summary = state.env->summary;
  const auto colon = summary.active_model.find(':');
  const auto provider = summary.active_model.substr(0, colon);
  call->session_id = summary.id;
  call->call_index = state.machine->call_index();
  call->model = summary.active_model.substr(colon + 1);
  call->system_prompt = summary.system_prompt;
  call->messages = conversation_for_model(all);
  call->tools = state.env->services->tools_of(summary.tools);
  call->script = summary.script;
  state.provider = state.env->services->start_model(provider, call, self);
  if (state.provider)
    self->monitor(state.provider);
  else
    fail_call(self, "unavailable", "The provider cannot be started.");
}

void stop_call(turn_pointer self) {
  auto& state = self->state;
  if (!state.provider)
    return;
  self->demonitor(state.provider.address());
  self->send(state.provider, cancel_atom_v);
  state.provider = provider_actor{};
}

tool_request request_of(const session_summary& summary, const requested_tool& wanted) {
  tool_request request;
  request.session_id = summary.id;
  request.turn_id = summary.current_turn_id;
  request.tool_use_id = wanted.tool_use_id;
  request.tool_name = wanted.tool_name;
  request.input = wanted.input;
  request.workspace_path = summary.workspace_path;
  return request;
}

void start_tool(turn_pointer self, const requested_tool& wanted) {
  auto& state = self->state;
  const auto& summary = state.env->summary;
  auto request = std::make_shared<tool_request>(request_of(summary, wanted));
  auto tool = state.env->services->start_tool(request, summary, self);
  self->monitor(tool);
  state.tools.emplace(wanted.tool_use_id, std::move(tool));
}

void cancel_tools(turn_pointer self, const std::vector<std::string>& ids) {
  auto& state = self->state;
  for (const auto& id : ids)
    if (const auto it = state.tools.find(id); it != state.tools.end())
      self->send(it->second, cancel_atom_v);
  after(self, state.limit.session.tool_cancel_ms,
        [self] { run(self, self->state.machine->on_cancel_deadline(now(self))); });
}

/// Asks what the model has not seen, then calls it.
void prepare_call(turn_pointer self) {
  self->request(self->state.env->session, caf::infinite, unseen_atom_v)
      .then([self](const std::vector<std::string>& lines) {
        run(self, self->state.machine->begin_call(lines, now(self)));
      });
}

/// The messages of earlier turns are all stored once this turn's first one is.
void load_history(turn_pointer self) {
  auto& state = self->state;
  state.has_history = true;
  message_query query;
  query.session_id = state.env->summary.id;
  query.before = state.first_message;
  query.limit = 0;
  self->request(state.env->reader, caf::infinite, messages_atom_v, query)
      .then(
          [self](const message_list& messages) {
            self->state.history = messages;
            prepare_call(self);
          },
          [self](const caf::error&) {
            run(self, self->state.machine->on_cancel("trace_unavailable", now(self)));
          });
}

void prepare_first_call(turn_pointer self) {
  auto& state = self->state;
  state.first_message = state.machine->messages().front()->id;
  self->request(state.env->session, caf::infinite, flush_atom_v).then([self](bool stored) {
    if (stored)
      load_history(self);
    else
      run(self, self->state.machine->on_cancel("trace_unavailable", now(self)));
  });
}

void run(turn_pointer self, turn_actions actions) {
  auto& state = self->state;
  if (!actions.steps.empty())
    self->send(state.env->session, emit_atom_v,
               std::make_shared<std::vector<session_step>>(std::move(actions.steps)));
  if (actions.stop_call)
    stop_call(self);
  if (!actions.cancel_tools.empty())
    cancel_tools(self, actions.cancel_tools);
  if (actions.finished) {
    self->quit();
    return;
  }
  if (actions.prepare_call && state.has_history)
    prepare_call(self);
  else if (actions.prepare_call)
    prepare_first_call(self);
  if (actions.start_call)
    start_call(self);
  for (const auto& wanted : actions.start_tools)
    start_tool(self, wanted);
  for (const auto& id : actions.await_permissions)
    after(self, self->state.limit.session.permission_ms, [self, id] {
      run(self,
          self->state.machine->on_permission(id, permission_decision::deny, "timeout", now(self)));
    });
  if (actions.retry_in_ms)
    after(self, *actions.retry_in_ms, [self] { run(self, self->state.machine->on_retry()); });
  if (actions.await_release)
    self->request(state.env->session, caf::infinite, flush_atom_v).then([self](bool stored) {
      auto& machine = *self->state.machine;
      run(self, stored ? machine.on_released(now(self))
                       : machine.on_cancel("trace_unavailable", now(self)));
    });
}

/// Several chunks make one message to the session.
void take_chunks(turn_pointer self, const std::vector<provider_chunk>& chunks) {
  turn_actions all;
  for (const auto& chunk : chunks) {
    auto actions = self->state.machine->on_chunk(chunk, now(self));
    std::move(actions.steps.begin(), actions.steps.end(), std::back_inserter(all.steps));
    actions.steps = std::move(all.steps);
    all = std::move(actions);
    if (all.finished || all.await_release || all.retry_in_ms || all.stop_call)
      break;
  }
  const auto last = chunks.empty() ? chunk_kind::start : chunks.back().kind;
  if (self->state.provider && (last == chunk_kind::finished || last == chunk_kind::failed)) {
    self->demonitor(self->state.provider.address());
    self->state.provider = provider_actor{};
  }
  run(self, std::move(all));
}

void take_outcome(turn_pointer self, const tool_outcome& outcome) {
  const auto it = self->state.tools.find(outcome.tool_use_id);
  if (it == self->state.tools.end())
    return;
  self->demonitor(it->second.address());
  self->state.tools.erase(it);
  run(self, self->state.machine->on_outcome(outcome, now(self)));
}

/// The session has ended without waiting for this turn: nothing that it has started goes on.
void abandon(turn_pointer self) {
  stop_call(self);
  for (const auto& [id, tool] : self->state.tools)
    self->send(tool, cancel_atom_v);
  self->quit();
}

void handle_down(turn_pointer self, const caf::down_msg& down) {
  auto& state = self->state;
  if (state.env->session.address() == down.source)
    return abandon(self);
  if (state.provider && state.provider.address() == down.source) {
    state.provider = provider_actor{};
    fail_call(self, "crashed", "The model call ended without an answer.");
    return;
  }
  for (const auto& [id, tool] : state.tools) {
    if (tool.address() != down.source)
      continue;
    tool_outcome lost;
    lost.tool_use_id = id;
    lost.error_class = "crashed";
    lost.text = "The tool ended without a result.";
    take_outcome(self, lost);
    return;
  }
}

} // namespace

turn_actor::behavior_type turn(turn_pointer self, turn_environment env, turn_setup setup) {
  guard_exceptions(self);
  auto& state = self->state;
  state.limit = setup.limit;
  state.env = std::move(env);
  state.env->summary.current_turn_id = setup.turn_id;
  state.env->summary.queue.clear(); // what waits is not this turn's
  state.share = budget_share{state.env->services->turns};
  setup.permission_of = [self](const requested_tool& wanted) {
    const auto& env = *self->state.env;
    return env.services->permission_of(request_of(env.summary, wanted), env.summary);
  };
  state.machine.emplace(std::move(setup));
  self->set_down_handler([self](const caf::down_msg& down) { handle_down(self, down); });
  self->set_exit_handler([self](const caf::exit_msg&) { abandon(self); });
  self->monitor(state.env->session);
  after(self, state.limit.session.turn_ms,
        [self] { run(self, self->state.machine->on_cancel("turn_timeout", now(self))); });
  run(self, state.machine->begin(now(self)));
  return {
      [self](chunk_atom, const provider_chunks& chunks) { take_chunks(self, *chunks); },
      [self](outcome_atom, const tool_outcome& outcome) { take_outcome(self, outcome); },
      [self](emit_atom, event_draft& draft) {
        run(self, self->state.machine->on_tool_event(std::move(draft)));
      },
      [self](permit_atom, const std::string& request_id, permission_decision decision) {
        const bool waits = self->state.machine->awaits_permission(request_id);
        run(self, self->state.machine->on_permission(request_id, decision, "user", now(self)));
        return waits;
      },
      [self](cancel_atom, const std::string& reason) {
        run(self, self->state.machine->on_cancel(reason, now(self)));
      },
  };
}

} // namespace gasoline

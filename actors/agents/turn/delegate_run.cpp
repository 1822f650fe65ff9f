#include "actors/agents/turn/delegate_run.hpp"

#include "actors/base/exception_guard.hpp"

#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using type = session_event_type;

/// A running delegation: a tool of its turn and a follower of the worker session.
using delegate_actor = tool_run_actor::extend<
    // Events of the worker.
    caf::reacts_to<deliver_atom, session_events>,
    // The worker session has ended.
    caf::reacts_to<closed_atom, bool>>;

using delegate_run_pointer = delegate_actor::stateful_pointer<delegate_run_state>;

std::int64_t elapsed_ms(delegate_run_pointer self) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(self->clock().now() -
                                                               self->state.started)
      .count();
}

void tell(delegate_run_pointer self, type kind, json payload) {
  const auto& state = self->state;
  event_draft draft;
  draft.type = kind;
  draft.payload = std::move(payload);
  draft.payload["worker_session_id"] = state.worker_id;
  draft.payload["tool_use_id"] = state.setup->request.tool_use_id;
  self->send(state.setup->turn, emit_atom_v, std::move(draft));
}

void end(delegate_run_pointer self, std::string text, bool is_error, std::string error_class) {
  self->state.ended = true;
  tool_outcome outcome;
  outcome.tool_use_id = self->state.setup->request.tool_use_id;
  outcome.text = std::move(text);
  outcome.is_error = is_error;
  outcome.error_class = std::move(error_class);
  self->send(self->state.setup->turn, outcome_atom_v, std::move(outcome));
  self->quit();
}

/// The delegation has failed after `delegate.started`.
void fail(delegate_run_pointer self, std::string_view mode, std::string message) {
  tell(self, type::delegate_failed,
       {{"failure_mode", mode}, {"message", message}, {"duration_ms", elapsed_ms(self)}});
  end(self, std::move(message), true, mode == "cancelled_by_user" ? "cancelled" : "");
}

void succeed(delegate_run_pointer self, const json& payload) {
  auto& state = self->state;
  tell(self, type::delegate_completed,
       {{"success", true},
        {"result", state.answer},
        {"usage", payload.value("usage", json::object())},
        {"duration_ms", elapsed_ms(self)}});
  end(self, state.answer.empty() ? "The worker has ended without a text." : state.answer, false,
      "");
}

std::string text_of(const json& content) {
  std::string out;
  for (const auto& block : content)
    if (block.is_object() && block.value("type", "") == "text")
      out += block.value("text", "");
  return out;
}

void take_event(delegate_run_pointer self, const session_event& e) {
  auto& state = self->state;
  if (state.ended)
    return;
  const auto frame = json::parse(e.frame, nullptr, false);
  if (!frame.is_object())
    return;
  const auto& payload = frame["event"]["payload"];
  if (e.type == type::message_complete)
    state.answer = text_of(payload.value("final_content", json::array()));
  else if (e.type == type::permission_requested || e.type == type::permission_resolved)
    tell(self, e.type, payload); // whoever watches the planner is asked, too
  else if (e.type == type::turn_cancelled && state.cancelled)
    fail(self, "cancelled_by_user", "The delegation was cancelled.");
  else if (e.type == type::turn_cancelled)
    fail(self, "worker_cancelled",
         "The worker was cancelled: " + payload.value("reason", std::string{}) + ".");
  else if (e.type == type::turn_completed && payload.value("status", "") == "failed")
    fail(self, "worker_failed",
         "The worker has failed: " + payload.value("stop_reason", std::string{}) + ".");
  else if (e.type == type::turn_completed)
    succeed(self, payload);
}

void submit_task(delegate_run_pointer self) {
  auto& state = self->state;
  const auto body =
      std::make_shared<const json>(json{{"content", state.setup->request.input["task"]}});
  self->request(state.worker, caf::infinite, submit_atom_v, json_document{body}, std::string{})
      .then(
          [self](const session_answer& answer) {
            auto& s = self->state;
            s.turn_id = agent_turn_id{answer.body.value("turn_id", std::string{})};
            if (answer.status != session_status::accepted)
              fail(self, "worker_failed", "The worker did not take the task.");
            else if (s.cancelled)
              caf::anon_send(s.worker, cancel_atom_v, s.turn_id, std::string{"cancelled_by_user"});
          },
          [self](const caf::error&) {
            fail(self, "worker_failed", "The worker session has ended.");
          });
}

session_filter of_work() {
  session_filter filter;
  for (const auto kind : {type::turn_completed, type::turn_cancelled, type::message_complete,
                          type::permission_requested, type::permission_resolved})
    filter.types.set(static_cast<std::size_t>(kind));
  return filter;
}

void begin_work(delegate_run_pointer self, agent_session_actor worker) {
  auto& state = self->state;
  state.worker = std::move(worker);
  self->monitor(state.worker);
  self->request(state.worker, caf::infinite, follow_atom_v, session_follower{self}, of_work(),
                std::string{})
      .then(
          [self](const attach_point& point) {
            auto& s = self->state;
            s.worker_id = point.summary.id;
            tell(self, type::delegate_started,
                 {{"task", s.setup->request.input["task"]}, {"model", point.summary.active_model}});
            if (s.cancelled)
              fail(self, "cancelled_by_user", "The delegation was cancelled.");
            else
              submit_task(self);
          },
          [self](const caf::error&) {
            end(self, "The worker session could not be made.", true, "unavailable");
          });
}

void spawn_worker(delegate_run_pointer self) {
  const auto& setup = *self->state.setup;
  const auto& input = setup.request.input;
  worker_spec spec;
  spec.parent_id = setup.request.session_id;
  spec.model = input.value("model", std::string{});
  spec.system_prompt = input.value("system", std::string{});
  if (input.contains("tools"))
    spec.tools = input["tools"].get<std::vector<std::string>>();
  if (input.contains("script"))
    spec.script = input["script"].dump();
  self->request(setup.registry, caf::infinite, spawn_atom_v, spec)
      .then([self](agent_session_actor& worker) { begin_work(self, std::move(worker)); },
            [self](const caf::error& e) {
              end(self, "No worker session: " + self->system().render(e) + ".", true, "");
            });
}

/// Why the input is none, as a sentence for the model; empty: it is fine.
std::string input_fault(const json& input) {
  if (!input.contains("task") || !input["task"].is_string() ||
      input["task"].get_ref<const std::string&>().empty())
    return "'task' is missing: say in full sentences what the worker is to do.";
  for (const char* key : {"model", "system"})
    if (input.contains(key) && !input[key].is_string())
      return std::string{"'"} + key + "' must be a string.";
  if (!input.contains("tools"))
    return {};
  if (!input["tools"].is_array())
    return "'tools' must be an array of tool names.";
  for (const auto& name : input["tools"])
    if (!name.is_string())
      return "'tools' must be an array of tool names.";
  return {};
}

void cancel(delegate_run_pointer self) {
  auto& state = self->state;
  state.cancelled = true;
  if (!state.turn_id.empty())
    caf::anon_send(state.worker, cancel_atom_v, state.turn_id, std::string{"cancelled_by_user"});
}

delegate_actor::behavior_type run(delegate_run_pointer self, delegate_setup setup) {
  guard_exceptions(self);
  self->state.setup = std::move(setup);
  self->state.started = self->clock().now();
  self->set_down_handler([self](const caf::down_msg&) {
    fail(self, "worker_failed", "The worker session has ended.");
  });
  if (auto fault = input_fault(self->state.setup->request.input); !fault.empty())
    end(self, std::move(fault), true, "invalid_input");
  else
    spawn_worker(self);
  return {
      [self](cancel_atom) { cancel(self); },
      [self](deliver_atom, const session_events& events) {
        for (const auto& e : events)
          take_event(self, *e);
      },
      [self](closed_atom, bool) { fail(self, "worker_failed", "The worker session has ended."); },
  };
}

} // namespace

tool_run_actor delegate_run(caf::actor_system& system, delegate_setup setup) {
  return system.spawn(run, std::move(setup));
}

model_tool delegate_tool() {
  return {"delegate",
          "Runs a task in a worker session of its own and answers with what the worker says last.",
          {{"type", "object"},
           {"required", json::array({"task"})},
           {"properties",
            {{"task", {{"type", "string"}, {"description", "What the worker is to do, in full."}}},
             {"model", {{"type", "string"}, {"description", "PROVIDER:MODEL; yours by default."}}},
             {"system", {{"type", "string"}}},
             {"tools", {{"type", "array"}, {"items", {{"type", "string"}}}}}}}}};
}

} // namespace gasoline

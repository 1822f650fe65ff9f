#include "actors/agents/tools/engine_client.hpp"

#include "actors/base/exception_guard.hpp"

#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using engine_client_pointer = engine_client_actor::stateful_pointer<engine_client_state>;
using std::chrono::milliseconds;

rpc_frame_ptr frame_with(json id, std::string method, json params) {
  auto frame = std::make_shared<rpc_frame>();
  const auto meta = [](std::string_view key) { return std::string{mcp_meta_prefix}.append(key); };
  params["_meta"] = {{meta("protocolVersion"), name_of(mcp_revision::v2026_07_28)},
                     {meta("clientCapabilities"), json::object()},
                     {meta("clientInfo"), {{"name", "agent session"}, {"version", "1"}}}};
  frame->messages.emplace_back(rpc_call{std::move(id), std::move(method), std::move(params)});
  return frame;
}

void send_frame(engine_client_pointer self, rpc_frame_ptr frame) {
  auto& state = self->state;
  if (state.session)
    self->send(state.session, receive_atom_v, std::move(frame));
  else
    state.unsent.push_back(std::move(frame));
}

tool_outcome unavailable_tool() {
  tool_outcome out;
  out.is_error = true;
  out.error_class = "crashed";
  out.text = "The engine's tools are not available: the engine is ending.";
  return out;
}

/// Nothing is answered any more.
void leave(engine_client_pointer self) {
  for (auto& [id, call] : self->state.calls)
    call.promise.deliver(unavailable_tool());
  self->state.calls.clear();
  self->quit();
}

caf::typed_response_promise<tool_outcome> call_tool(engine_client_pointer self,
                                                    const tool_request& request) {
  auto& state = self->state;
  auto promise = self->make_response_promise<tool_outcome>();
  state.last_used = self->clock().now();
  state.calls.emplace(++state.last_call,
                      engine_client_state::open_call{request.tool_use_id, promise});
  send_frame(self, frame_with(state.last_call, "tools/call",
                              {{"name", request.tool_name}, {"arguments", request.input}}));
  return promise;
}

void give_up(engine_client_pointer self, const std::string& tool_use_id) {
  auto& calls = self->state.calls;
  for (auto it = calls.begin(); it != calls.end(); ++it) {
    if (it->second.tool_use_id != tool_use_id)
      continue;
    send_frame(self, frame_with(nullptr, "notifications/cancelled", {{"requestId", it->first}}));
    tool_outcome stopped;
    stopped.error_class = "cancelled";
    stopped.text = "The tool was cancelled.";
    it->second.promise.deliver(std::move(stopped));
    calls.erase(it);
    return;
  }
}

std::string text_of_result(const json& result) {
  std::string out;
  for (const auto& block : result.value("content", json::array()))
    if (block.is_object() && block.value("type", "") == "text")
      out += (out.empty() ? "" : "\n") + block.value("text", "");
  return out;
}

tool_outcome outcome_of_reply(const json& reply) {
  tool_outcome out;
  if (const auto error = reply.find("error"); error != reply.end()) {
    out.is_error = true;
    out.text = error->is_object() ? error->value("message", "") : std::string{};
    return out;
  }
  const auto& result = reply.at("result");
  out.is_error = result.value("isError", false);
  out.text = text_of_result(result);
  return out;
}

/// What the engine writes to a client: answers, and notifications that are of no use here.
void take_message(engine_client_pointer self, const rpc_text& text) {
  const auto message = text ? json::parse(*text, nullptr, false) : json();
  if (!message.is_object() || !message.contains("id") || !message["id"].is_number_unsigned() ||
      message.contains("method"))
    return;
  auto& calls = self->state.calls;
  const auto it = calls.find(message["id"].get<std::uint64_t>());
  if (it == calls.end())
    return;
  it->second.promise.deliver(outcome_of_reply(message));
  calls.erase(it);
}

void join_engine(engine_client_pointer self, const engine_actor& engine,
                 const agent_session_id& session_id) {
  const client_origin origin{client_transport::session, session_id};
  self->request(engine, caf::infinite, attach_atom_v, message_writer{self}, origin)
      .then(
          [self](client_actor& session) {
            auto& state = self->state;
            self->monitor(session);
            state.session = std::move(session);
            if (state.leaving)
              self->send(state.session, closed_atom_v);
            for (auto& frame : std::exchange(state.unsent, {}))
              send_frame(self, std::move(frame));
          },
          [self](const caf::error&) { leave(self); });
}

void watch_idleness(engine_client_pointer self) {
  auto& state = self->state;
  const milliseconds limit{state.idle_ms};
  const bool idle = state.calls.empty() && self->clock().now() - state.last_used >= limit;
  if (idle && state.session)
    self->send(state.session, closed_atom_v);
  else
    state.timers.start(self, limit, [self] { watch_idleness(self); });
}

} // namespace

engine_client_actor::behavior_type engine_client(engine_client_pointer self,
                                                 const engine_actor& engine,
                                                 const agent_session_id& session_id,
                                                 limits_of<mcp_room> limit) {
  guard_exceptions(self);
  self->state.idle_ms = limit.mcp.session_idle_ms;
  self->state.last_used = self->clock().now();
  self->set_down_handler([self](const caf::down_msg&) { leave(self); });
  join_engine(self, engine, session_id);
  watch_idleness(self);
  return {
      [self](write_atom, const rpc_text& text) { take_message(self, text); },
      [self](write_atom, const outgoing_ptr& message) { take_message(self, message->text); },
      [](join_atom, const congestion_sink&) {},
      [self](closed_atom) { leave(self); },
      [self](leave_atom) {
        self->state.leaving = true;
        if (self->state.session)
          self->send(self->state.session, closed_atom_v);
      },
      [self](call_atom, const tool_request_ptr& request) { return call_tool(self, *request); },
      [self](cancel_atom, const std::string& tool_use_id) { give_up(self, tool_use_id); },
  };
}

} // namespace gasoline

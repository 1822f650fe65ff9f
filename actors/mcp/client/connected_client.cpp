#include "actors/mcp/client/connected_client.hpp"

#include "actors/base/exception_guard.hpp"
#include "actors/mcp/client/client_asks.hpp"
#include "actors/mcp/client/client_methods.hpp"
#include "actors/mcp/client/client_replies.hpp"
#include "actors/mcp/client/client_subscriptions.hpp"
#include "actors/mcp/client/client_timers.hpp"
#include "actors/mcp/client/stream_delivery.hpp"
#include "actors/mcp_tools/observe/client_waits.hpp"
#include "actors/push/push_throttler.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

/// The stateless bridge (README of actors/mcp): no handshake precedes its requests.
constexpr std::string_view bridge_transport = "bridge";

void handle_notification(client_pointer self, const rpc_call& call, exchange_id exchange) {
  if (call.method != "notifications/cancelled" || !call.params.is_object())
    return;
  if (const auto id = call.params.find("requestId"); id != call.params.end())
    cancel_requests(self, *id, exchange);
}

void handle_message(client_pointer self, const rpc_message& message,
                    const std::shared_ptr<open_exchange>& exchange) {
  if (const auto* fault = std::get_if<rpc_fault>(&message))
    answer_fault(self, *fault, *exchange);
  else if (const auto* reply = std::get_if<rpc_reply>(&message))
    take_reply(self, *reply);
  else if (const auto& call = std::get<rpc_call>(message); call.is_notification())
    handle_notification(self, call, exchange->id);
  else
    serve_request(self, call, exchange);
}

/// Whether the message ends its exchange by being answered.
bool is_answered(const rpc_message& message) {
  const auto* call = std::get_if<rpc_call>(&message);
  return std::holds_alternative<rpc_fault>(message) || (call && !call->is_notification());
}

void handle_frame(client_pointer self, const rpc_frame& frame) {
  const auto exchange = std::make_shared<open_exchange>();
  exchange->id = frame.exchange;
  if (frame.batch && self->state.revision != mcp_revision::v2025_03_26) {
    const rpc_fault refused{nullptr, rpc_code::invalid_request,
                            "Batches exist only in revision 2025-03-26; send messages one by one."};
    answer_fault(self, refused, *exchange);
    return;
  }
  exchange->batch = frame.batch;
  if (frame.messages.size() == 1 && !frame.batch && is_answered(frame.messages.front())) {
    handle_message(self, frame.messages.front(), exchange);
    return;
  }
  const exchange_guard guard{self, exchange};
  for (const auto& message : frame.messages)
    handle_message(self, message, exchange);
}

std::optional<mcp_revision> shown_revision(const client_state& state) {
  if (state.revision || !state.modern_seen)
    return state.revision;
  return mcp_revision::v2026_07_28;
}

json health_of(const client_state& state) {
  const auto revision = shown_revision(state);
  return {{"clients",
           {{{"id", state.id},
             {"name", client_name(state)},
             {"transport", state.origin.transport},
             {"revision", revision ? json(name_of(*revision)) : json()},
             {"streaming", state.streaming},
             {"under_way", state.requests.size()},
             {"tool_calls", state.total_tool_calls},
             {"alerts_read", state.alerts_read}}}}};
}

void take_alert(client_pointer self, const alert_ptr& a) {
  if (self->state.closing)
    return;
  if (self->state.streaming)
    caf::anon_send(self->state.throttler, alert_atom_v, a);
  if (!a->update)
    wake_waiters(self, a);
  resource_changed(self, std::string{alerts_resource});
}

/// The client sends nothing more: what waits for something to happen is answered now.
void close(client_pointer self) {
  auto& state = self->state;
  state.closing = true;
  state.streaming = false;
  caf::anon_send(state.throttler, disable_atom_v);
  fail_asks(self);
  end_listens(self);
  end_waits(self);
  end_stream_waits(self);
  end_when_answered(self);
}

void begin(client_pointer self) {
  auto& state = self->state;
  const auto& limit = state.env.limit;
  if (state.origin.transport == bridge_transport)
    state.revision = mcp_revision::v2025_03_26;
  state.tool_calls.emplace(limit.client.tool_calls_per_minute, std::chrono::minutes{1});
  state.subscriptions.emplace(limit);
  state.throttler = self->spawn<caf::linked>(
      push_throttler, state.writer, caf::actor_cast<caf::actor>(state.env.recorder), limit);
  caf::anon_send(state.writer, join_atom_v, caf::actor_cast<caf::actor>(state.throttler));
  self->monitor(state.writer);
}

} // namespace

client_actor::behavior_type connected_client(client_pointer self, client_environment env,
                                             client_id id, client_origin origin,
                                             message_writer writer) {
  guard_exceptions(self);
  auto& state = self->state;
  state.env = std::move(env);
  state.id = id;
  state.origin = std::move(origin);
  state.writer = std::move(writer);
  self->set_down_handler([self](const caf::down_msg&) { end_session(self); });
  self->set_exit_handler([self](const caf::exit_msg&) { end_session(self); });
  begin(self);
  return {
      [self](health_atom) { return std::make_shared<const json>(health_of(self->state)); },
      [self](receive_atom, const rpc_frame_ptr& frame) {
        if (!self->state.closing)
          handle_frame(self, *frame);
      },
      [self](alert_atom, const alert_ptr& a) { take_alert(self, a); },
      [self](cancel_atom, exchange_id exchange) { cancel_exchange(self, exchange); },
      [self](changed_atom, watched_part part) { part_changed(self, part); },
      [self](changed_atom, listed_kind kind) { tell_list_changed(self, kind); },
      [self](stream_atom, const stream_notice_ptr& notice) { take_stream_notice(self, *notice); },
      [self](tick_atom, std::uint64_t timer) { run_timer(self, timer); },
      [self](closed_atom) { close(self); },
  };
}

} // namespace gasoline

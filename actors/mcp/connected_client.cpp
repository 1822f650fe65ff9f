#include "actors/mcp/connected_client.hpp"

#include "actors/base/exception_guard.hpp"
#include "actors/mcp/client/client_parts.hpp"
#include "actors/mcp/method_table.hpp"
#include "actors/push/push_throttler.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

/// Whether the message ends its exchange by being answered.
bool is_answered(const rpc_message& message) {
  const auto* call = std::get_if<rpc_call>(&message);
  return std::holds_alternative<rpc_fault>(message) || (call && !call->is_notification());
}

push_throttler_actor spawn_throttler(client_pointer self, const client_environment& env,
                                     client_id id, const client_origin& origin,
                                     const message_writer& writer) {
  auto throttler = self->spawn<caf::linked>(
      push_throttler, push_target{writer, env.recorder, env.engine.alerts, id, origin.channel},
      env.limit);
  caf::anon_send(writer, join_atom_v, congestion_sink{throttler});
  return throttler;
}

} // namespace

/// The life of one client: what it sends and what happens to it, from its first frame to its end.
class client_life {
 public:
  client_life(client_pointer self, client_environment env, client_id id,
              const client_origin& origin, const message_writer& writer)
      : self_(self),
        parts_(self, env, id, origin, writer, spawn_throttler(self, env, id, origin, writer),
               [this] { end_when_answered(); }) {
    // No handshake precedes the requests of the stateless bridge (README of actors/mcp).
    if (parts_.origin.transport == client_transport::bridge)
      parts_.agreement.assume(mcp_revision::v2025_03_26);
  }

  void take_frame(const rpc_frame& frame) {
    if (!closing_)
      handle_frame(frame);
  }

  void take_alert(const alert_ptr& a) {
    if (closing_)
      return;
    parts_.push.offer(a);
    if (!a->update)
      parts_.waits.wake(a);
    parts_.subscriptions.changed(std::string{alerts_resource});
  }

  void take_stream_notice(const stream_notice& notice) {
    if (closing_)
      return;
    if (notice.event)
      parts_.streams.notify(notice);
    else
      parts_.subscriptions.changed(std::string{stream_resource_prefix} + notice.stream);
  }

  void hold(bool congested) {
    if (closing_)
      return;
    parts_.subscriptions.hold(congested);
    parts_.streams.hold(congested);
  }

  void part_changed(watched_part part) { parts_.subscriptions.part_changed(part); }
  void list_changed(listed_kind kind) { parts_.subscriptions.list_changed(kind); }
  void cancel(exchange_id exchange) { parts_.requests.cancel_exchange(exchange); }

  json health() const {
    const auto revision = parts_.agreement.shown_revision();
    return {{"clients",
             {{{"id", parts_.id},
               {"name", parts_.shown_name()},
               {"transport", name_of(parts_.origin.transport)},
               {"revision", revision ? json(name_of(*revision)) : json()},
               {"streaming", parts_.push.is_on()},
               {"under_way", parts_.requests.size()},
               {"tool_calls", parts_.tool_calls.total()}}}}};
  }

  /// The client sends nothing more: what waits for something to happen is answered now.
  void close() {
    closing_ = true;
    parts_.push.close();
    parts_.streams.close();
    parts_.asks.close();
    parts_.subscriptions.close();
    parts_.waits.close();
    caf::anon_send(parts_.env.engine.streams, flush_atom_v, parts_.id);
    end_when_answered();
  }

  /// Ends the client and everything that belongs to it; nothing is pushed afterwards. `reason` is
  /// an error when one of its own actors has failed.
  void end(const caf::error& reason = {}) {
    if (ended_)
      return;
    ended_ = true;
    parts_.requests.abandon();
    parts_.timers.stop_all();
    parts_.asks.forget();
    parts_.waits.forget();
    parts_.push.end();
    caf::anon_send(parts_.env.engine.alerts, forget_atom_v, parts_.id);
    parts_.outbox.close();
    self_->quit(reason);
  }

 private:
  void end_when_answered() {
    if (closing_ && parts_.requests.size() == 0)
      end();
  }

  void handle_notification(const rpc_call& call, exchange_id exchange) {
    if (call.method == "notifications/initialized" ||
        call.method == "notifications/roots/list_changed")
      parts_.roots.look();
    if (call.method != "notifications/cancelled" || !call.params.is_object())
      return;
    if (const auto id = call.params.find("requestId"); id != call.params.end())
      parts_.requests.cancel(*id, exchange);
  }

  void handle_message(const rpc_message& message, const std::shared_ptr<open_exchange>& exchange) {
    if (const auto* fault = std::get_if<rpc_fault>(&message))
      parts_.requests.answer_fault(*fault, *exchange);
    else if (const auto* reply = std::get_if<rpc_reply>(&message))
      parts_.asks.take(*reply);
    else if (const auto& call = std::get<rpc_call>(message); call.is_notification())
      handle_notification(call, exchange->id);
    else
      serve_request(parts_, call, exchange);
  }

  void handle_frame(const rpc_frame& frame) {
    const auto exchange = std::make_shared<open_exchange>();
    exchange->id = frame.exchange;
    if (frame.batch && parts_.agreement.revision() != mcp_revision::v2025_03_26) {
      const rpc_fault refused{
          nullptr, rpc_code::invalid_request,
          "Batches exist only in revision 2025-03-26; send messages one by one."};
      parts_.requests.answer_fault(refused, *exchange);
      return;
    }
    exchange->batch = frame.batch;
    if (frame.messages.size() == 1 && !frame.batch && is_answered(frame.messages.front())) {
      handle_message(frame.messages.front(), exchange);
      return;
    }
    const request_table::exchange_guard guard{parts_.requests, exchange};
    for (const auto& message : frame.messages)
      handle_message(message, exchange);
  }

  client_pointer self_;
  client_parts parts_;
  bool closing_ = false; ///< the client sends nothing more
  bool ended_ = false;
};

client_state::client_state() = default;
client_state::~client_state() = default;

client_actor::behavior_type connected_client(client_pointer self, client_environment env,
                                             client_id id, client_origin origin,
                                             message_writer writer) {
  guard_exceptions(self);
  self->state.life = std::make_unique<client_life>(self, std::move(env), id, origin, writer);
  auto* life = self->state.life.get();
  self->set_down_handler([life](const caf::down_msg&) { life->end(); });
  self->set_exit_handler([life](const caf::exit_msg& exit) { life->end(exit.reason); });
  self->monitor(writer);
  caf::anon_send(writer, join_atom_v, congestion_sink{client_actor{self}});
  return {
      [life](health_atom) { return std::make_shared<const json>(life->health()); },
      [life](receive_atom, const rpc_frame_ptr& frame) { life->take_frame(*frame); },
      [life](alert_atom, const alert_ptr& a) { life->take_alert(a); },
      [life](cancel_atom, exchange_id exchange) { life->cancel(exchange); },
      [life](changed_atom, watched_part part) { life->part_changed(part); },
      [life](changed_atom, listed_kind kind) { life->list_changed(kind); },
      [life](stream_atom, const stream_notice_ptr& notice) { life->take_stream_notice(*notice); },
      [life](congested_atom, bool congested) { life->hold(congested); },
      [life](closed_atom) { life->close(); },
  };
}

} // namespace gasoline

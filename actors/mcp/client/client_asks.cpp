#include "actors/mcp/client/client_asks.hpp"

#include "actors/mcp/client/client_timers.hpp"
#include "actors/mcp/protocol/mcp_serializer.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

json own_error(rpc_code code, const std::string& sentence) {
  return {{"error", {{"code", static_cast<std::int32_t>(code)}, {"message", sentence}}}};
}

/// Ends the wait for an answer; the reply goes to whoever asked.
void settle_ask(client_pointer self, std::uint64_t id, const json& reply) {
  auto node = self->state.asks.extract(id);
  if (node.empty())
    return;
  stop_timer(self, node.mapped().timer);
  if (node.mapped().request->open)
    node.mapped().then(reply);
}

/// Tells the client that its answer is no longer wanted.
void withdraw(client_pointer self, std::uint64_t id, const std::string& reason) {
  const auto found = self->state.asks.find(id);
  if (found == self->state.asks.end())
    return;
  send_related(
      self, found->second.request->exchange->id,
      notification_message("notifications/cancelled", {{"requestId", id}, {"reason", reason}}));
}

} // namespace

void ask_client(client_pointer self, const open_request_ptr& request, std::string_view method,
                json params, std::function<void(const json&)> then) {
  auto& state = self->state;
  if (era_of(request->revision) == mcp_era::modern) {
    then(own_error(rpc_code::invalid_request, "Clients of 2026-07-28 are never asked."));
    return;
  }
  if (state.closing || state.asks.size() >= state.env.limit.client.asks) {
    then(own_error(rpc_code::internal_error, state.closing
                                                 ? "The client has left."
                                                 : "Too many questions wait for the client."));
    return;
  }
  const auto id = ++state.last_ask;
  const std::chrono::milliseconds patience{state.env.limit.client.ask_ms};
  const auto timer = start_timer(self, patience, [self, id] {
    withdraw(self, id, "no answer in time");
    settle_ask(self, id, own_error(rpc_code::internal_error, "The client did not answer in time."));
  });
  state.asks.emplace(id, pending_ask{request, std::move(then), timer});
  request->on_cancelled.emplace_back([self, id] {
    withdraw(self, id, "the request it belongs to was cancelled");
    settle_ask(self, id, nullptr);
  });
  send_related(self, request->exchange->id, request_message(id, method, std::move(params)));
}

void take_reply(client_pointer self, const rpc_reply& reply) {
  if (!reply.id.is_number_unsigned())
    return;
  settle_ask(self, reply.id.get<std::uint64_t>(),
             reply.error.is_null() ? reply.result : json{{"error", reply.error}});
}

void fail_asks(client_pointer self) {
  const auto asks = self->state.asks;
  for (const auto& [id, ask] : asks)
    settle_ask(self, id, own_error(rpc_code::internal_error, "The client has left."));
}

} // namespace gasoline

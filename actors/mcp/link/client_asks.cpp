#include "actors/mcp/link/client_asks.hpp"

#include "actors/mcp/protocol/mcp_serializer.hpp"

#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

json own_error(rpc_code code, const std::string& sentence) {
  return {{"error", {{"code", static_cast<std::int32_t>(code)}, {"message", sentence}}}};
}

} // namespace

/// Ends the wait for an answer; the reply goes to whoever asked.
void client_asks::settle(std::uint64_t id, const json& reply) {
  auto node = waiting_.extract(id);
  if (node.empty())
    return;
  timers_.stop(node.mapped().timer);
  if (const auto& request = node.mapped().request; !request || request->open)
    node.mapped().then(reply);
}

/// Tells the client that its answer is no longer wanted.
void client_asks::withdraw(std::uint64_t id, const std::string& reason) const {
  const auto found = waiting_.find(id);
  if (found == waiting_.end())
    return;
  const auto& request = found->second.request;
  outbox_.send_related(
      request ? request->exchange->id : 0,
      notification_message("notifications/cancelled", {{"requestId", id}, {"reason", reason}}));
}

/// Whether one question more is possible now; `then` is told why it is not.
bool client_asks::may_ask(const reply_handler& then) const {
  if (!closed_ && waiting_.size() < limit_.client.asks)
    return true;
  then(own_error(rpc_code::internal_error,
                 closed_ ? "The client has left." : "Too many questions wait for the client."));
  return false;
}

/// Answers the id of the question.
std::uint64_t client_asks::wait_for_reply(const open_request_ptr& request, reply_handler then) {
  const auto id = ++last_;
  const auto timer = timers_.start(std::chrono::milliseconds{limit_.client.ask_ms}, [this, id] {
    withdraw(id, "no answer in time");
    settle(id, own_error(rpc_code::internal_error, "The client did not answer in time."));
  });
  waiting_.emplace(id, waiting_ask{request, std::move(then), timer});
  return id;
}

void client_asks::ask(const open_request_ptr& request, std::string_view method, json params,
                      reply_handler then) {
  if (era_of(request->revision) == mcp_era::modern) {
    then(own_error(rpc_code::invalid_request, "Clients of 2026-07-28 are never asked."));
    return;
  }
  if (!may_ask(then))
    return;
  const auto id = wait_for_reply(request, std::move(then));
  request->on_cancelled.emplace_back([this, id] {
    withdraw(id, "the request it belongs to was cancelled");
    settle(id, nullptr);
  });
  outbox_.send_related(request->exchange->id, request_message(id, method, std::move(params)));
}

void client_asks::ask_unasked(std::string_view method, reply_handler then) {
  if (may_ask(then))
    outbox_.send_unsolicited(
        request_message(wait_for_reply(nullptr, std::move(then)), method, json::object()));
}

void client_asks::take(const rpc_reply& reply) {
  if (!reply.id.is_number_unsigned())
    return;
  settle(reply.id.get<std::uint64_t>(),
         reply.error.is_null() ? reply.result : json{{"error", reply.error}});
}

void client_asks::close() {
  closed_ = true;
  const auto asks = waiting_;
  for (const auto& [id, ask] : asks)
    settle(id, own_error(rpc_code::internal_error, "The client has left."));
}

} // namespace gasoline

#include "actors/mcp/client/client_replies.hpp"

#include "actors/mcp/protocol/mcp_serializer.hpp"

#include <algorithm>

namespace gasoline {
namespace {

std::string key_of(const nlohmann::json& id) {
  return id.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void send(client_pointer self, outgoing message) {
  caf::anon_send(self->state.writer, write_atom_v,
                 std::make_shared<const outgoing>(std::move(message)));
}

rpc_text shared_text(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

/// The last message of an exchange: its answer, its batch of answers, or none.
void end_exchange(client_pointer self, const open_exchange& exchange) {
  outgoing message;
  message.exchange = exchange.id;
  message.last = true;
  if (!exchange.replies.empty()) {
    std::string array{"["};
    for (const auto& reply : exchange.replies)
      array.append(array.size() > 1 ? "," : "").append(reply);
    message.text = shared_text(array + ']');
    message.is_response = true;
  }
  if (message.text || exchange.id != 0)
    send(self, std::move(message));
}

/// One part of the exchange is done without an answer of its own.
void settle(client_pointer self, open_exchange& exchange) {
  if (--exchange.open == 0)
    end_exchange(self, exchange);
}

/// The same with an answer.
void settle_with(client_pointer self, open_exchange& exchange, std::string text,
                 std::int32_t error_code) {
  if (exchange.batch) {
    exchange.replies.push_back(std::move(text));
    settle(self, exchange);
    return;
  }
  outgoing message;
  message.text = shared_text(std::move(text));
  message.exchange = exchange.id;
  message.is_response = true;
  message.error_code = error_code;
  message.last = --exchange.open == 0;
  send(self, std::move(message));
}

/// Takes the request out of the table; false when it was not open.
bool close_slot(client_pointer self, open_request& request) {
  if (!request.open)
    return false;
  request.open = false;
  auto& requests = self->state.requests;
  const auto [first, end] = requests.equal_range({request.exchange->id, key_of(request.id)});
  const auto found =
      std::find_if(first, end, [&](const auto& row) { return row.second.get() == &request; });
  if (found != end)
    requests.erase(found);
  return true;
}

void deliver(client_pointer self, const open_request_ptr& request, std::string text,
             std::int32_t error_code) {
  request->on_cancelled.clear();
  settle_with(self, *request->exchange, std::move(text), error_code);
  end_when_answered(self);
}

template <class Meant>
void cancel_all(client_pointer self, Meant meant) {
  std::vector<open_request_ptr> found;
  for (const auto& [key, request] : self->state.requests)
    if (meant(*request))
      found.push_back(request);
  for (const auto& request : found)
    cancel_request(self, request);
}

} // namespace

std::string client_name(const client_state& state) {
  constexpr std::size_t longest = 100;
  const auto& name = state.origin.name.empty() ? state.given_name : state.origin.name;
  return state.env.redaction->text(name).shortened(longest).str();
}

void send_unsolicited(client_pointer self, std::string text) {
  send_related(self, 0, std::move(text));
}

void send_related(client_pointer self, exchange_id exchange, std::string text) {
  outgoing message;
  message.text = shared_text(std::move(text));
  message.exchange = exchange;
  send(self, std::move(message));
}

void send_stream_end(client_pointer self, exchange_id exchange) {
  outgoing message;
  message.exchange = exchange;
  message.close_stream = true;
  send(self, std::move(message));
}

void open_slot(client_pointer self, const open_request_ptr& request) {
  ++request->exchange->open;
  self->state.requests.emplace(std::pair{request->exchange->id, key_of(request->id)}, request);
}

void answer(client_pointer self, const open_request_ptr& request, const nlohmann::json& result) {
  if (close_slot(self, *request))
    deliver(self, request, result_text(request->id, result), 0);
}

void answer_problem(client_pointer self, const open_request_ptr& request,
                    const rpc_problem& problem) {
  if (!close_slot(self, *request))
    return;
  const auto code = wire_code(request->revision, problem.code);
  deliver(self, request, error_text(request->id, code, problem.sentence, problem.data),
          static_cast<std::int32_t>(code));
}

void answer_fault(client_pointer self, const rpc_fault& fault, open_exchange& exchange) {
  ++exchange.open;
  settle_with(self, exchange, error_text(fault.id, fault.code, fault.message),
              static_cast<std::int32_t>(fault.code));
}

void cancel_request(client_pointer self, const open_request_ptr& request) {
  if (!close_slot(self, *request))
    return;
  const auto handlers = std::move(request->on_cancelled);
  request->on_cancelled.clear();
  for (const auto& handler : handlers)
    handler();
  settle(self, *request->exchange);
  end_when_answered(self);
}

void cancel_requests(client_pointer self, const nlohmann::json& id, exchange_id exchange) {
  // Legacy ids are unique in a session and cancelled from another POST; modern ones only in their
  // exchange, where several clients may share a session.
  cancel_all(self, [&](const open_request& r) {
    return r.id == id && (r.exchange->id == exchange || era_of(r.revision) == mcp_era::legacy);
  });
}

void cancel_exchange(client_pointer self, exchange_id exchange) {
  cancel_all(self, [&](const open_request& r) { return r.exchange->id == exchange; });
}

void end_session(client_pointer self) {
  auto& state = self->state;
  if (state.ended)
    return;
  state.ended = true;
  // Handlers hold their requests, which hold the handlers.
  for (const auto& [key, request] : state.requests) {
    request->open = false;
    request->on_cancelled.clear();
  }
  state.requests.clear();
  state.timers.clear();
  state.asks.clear();
  state.waiters.clear();
  caf::anon_send_exit(state.throttler, caf::exit_reason::user_shutdown);
  caf::anon_send(state.env.alerts, forget_atom_v, state.id);
  caf::anon_send(state.writer, closed_atom_v);
  self->quit();
}

void end_when_answered(client_pointer self) {
  if (self->state.closing && self->state.requests.empty())
    end_session(self);
}

exchange_guard::exchange_guard(client_pointer self, std::shared_ptr<open_exchange> exchange)
    : self_(self), exchange_(std::move(exchange)) {
  ++exchange_->open;
}

exchange_guard::~exchange_guard() {
  settle(self_, *exchange_);
}

} // namespace gasoline

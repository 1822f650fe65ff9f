#include "actors/mcp/link/request_table.hpp"

#include "actors/mcp/protocol/mcp_serializer.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

std::string key_of(const nlohmann::json& id) {
  return dumped(id);
}

rpc_text shared_text(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

/// Tells whoever works on the request that it need not go on.
void call_off(open_request& request) {
  const auto handlers = std::exchange(request.on_cancelled, {});
  for (const auto& handler : handlers)
    handler();
}

} // namespace

/// The last message of an exchange: its answer, its batch of answers, or none.
void request_table::end_exchange(const open_exchange& exchange) const {
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
    outbox_.send(std::move(message));
}

/// One part of the exchange is done without an answer of its own.
void request_table::settle(open_exchange& exchange) const {
  if (--exchange.open == 0)
    end_exchange(exchange);
}

/// The same with an answer.
void request_table::settle_with(open_exchange& exchange, std::string text,
                                std::int32_t error_code) const {
  if (exchange.batch) {
    exchange.replies.push_back(std::move(text));
    settle(exchange);
    return;
  }
  outgoing message;
  message.text = shared_text(std::move(text));
  message.exchange = exchange.id;
  message.is_response = true;
  message.error_code = error_code;
  message.last = --exchange.open == 0;
  outbox_.send(std::move(message));
}

/// Takes the request out of the table; false when it was not open.
bool request_table::close(open_request& request) {
  if (!request.open)
    return false;
  request.open = false;
  const auto [first, end] = open_.equal_range({request.exchange->id, key_of(request.id)});
  const auto found =
      std::find_if(first, end, [&](const auto& row) { return row.second.get() == &request; });
  if (found != end)
    open_.erase(found);
  return true;
}

void request_table::deliver(const open_request_ptr& request, std::string text,
                            std::int32_t error_code) const {
  request->on_cancelled.clear();
  settle_with(*request->exchange, std::move(text), error_code);
  settled_();
}

/// Ends a request without an answer.
void request_table::cancel_request(const open_request_ptr& request) {
  if (!close(*request))
    return;
  call_off(*request);
  settle(*request->exchange);
  settled_();
}

template <class Meant>
std::vector<open_request_ptr> request_table::all_open(Meant meant) const {
  std::vector<open_request_ptr> out;
  for (const auto& [key, request] : open_)
    if (meant(*request))
      out.push_back(request);
  return out;
}

template <class Meant>
void request_table::cancel_all(Meant meant) {
  for (const auto& request : all_open(meant))
    cancel_request(request);
}

void request_table::open(const open_request_ptr& request) {
  ++request->exchange->open;
  open_.emplace(std::pair{request->exchange->id, key_of(request->id)}, request);
}

void request_table::answer(const open_request_ptr& request, const nlohmann::json& result) {
  if (close(*request))
    deliver(request, result_text(request->id, result), 0);
}

void request_table::answer_problem(const open_request_ptr& request, const rpc_problem& problem) {
  if (close(*request))
    deliver_problem(request, problem);
}

void request_table::deliver_problem(const open_request_ptr& request,
                                    const rpc_problem& problem) const {
  const auto code = wire_code(request->revision, problem.code);
  deliver(request, error_text(request->id, code, problem.sentence, problem.data),
          static_cast<std::int32_t>(code));
}

void request_table::fail_others(const open_request_ptr& kept, const rpc_problem& problem) {
  for (const auto& request : all_open([&](const open_request& r) { return &r != kept.get(); })) {
    if (!close(*request))
      continue;
    call_off(*request);
    deliver_problem(request, problem);
  }
}

void request_table::answer_fault(const rpc_fault& fault, open_exchange& exchange) {
  ++exchange.open;
  settle_with(exchange, error_text(fault.id, fault.code, fault.message),
              static_cast<std::int32_t>(fault.code));
}

void request_table::cancel(const nlohmann::json& id, exchange_id exchange) {
  // Legacy ids are unique in a session and cancelled from another POST; modern ones only in their
  // exchange, where several clients may share a session.
  cancel_all([&](const open_request& r) {
    return r.id == id && (r.exchange->id == exchange || era_of(r.revision) == mcp_era::legacy);
  });
}

void request_table::cancel_exchange(exchange_id exchange) {
  cancel_all([&](const open_request& r) { return r.exchange->id == exchange; });
}

void request_table::abandon() {
  // Handlers hold their requests, which hold the handlers.
  for (const auto& [key, request] : open_) {
    request->open = false;
    request->on_cancelled.clear();
  }
  open_.clear();
}

request_table::exchange_guard::exchange_guard(const request_table& table,
                                              std::shared_ptr<open_exchange> exchange)
    : table_(table), exchange_(std::move(exchange)) {
  ++exchange_->open;
}

request_table::exchange_guard::~exchange_guard() {
  table_.settle(*exchange_);
}

} // namespace gasoline

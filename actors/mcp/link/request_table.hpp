#pragma once

#include "actors/mcp/link/message_outbox.hpp"
#include "actors/mcp/link/open_request.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {

/// The requests of one client that are under way, and their exchanges. A request is answered once,
/// unless it is cancelled; every exchange but the connection itself (0) ends with exactly one
/// message that is its last.
class request_table {
 public:
  /// `settled` is called after each request that was answered or cancelled.
  request_table(const message_outbox& outbox, std::function<void()> settled)
      : outbox_(outbox), settled_(std::move(settled)) {}

  std::size_t size() const { return open_.size(); }

  /// Registers a request as under way.
  void open(const open_request_ptr& request);

  /// Answers a request; nothing when it is no longer open.
  void answer(const open_request_ptr& request, const nlohmann::json& result);
  void answer_problem(const open_request_ptr& request, const rpc_problem& problem);

  /// Answers something in an exchange that was no message.
  void answer_fault(const rpc_fault& fault, open_exchange& exchange);

  /// Answers every open request but `kept` with that problem; what they wait for is called off.
  void fail_others(const open_request_ptr& kept, const rpc_problem& problem);

  /// The legacy or stdio cancellation: every open request with that id which the sender may mean.
  void cancel(const nlohmann::json& id, exchange_id exchange);

  /// Everything that is open in that exchange.
  void cancel_exchange(exchange_id exchange);

  /// Forgets all requests without an answer: the client has ended.
  void abandon();

  /// Keeps an exchange open while its messages are handled, so that it ends once.
  class exchange_guard {
   public:
    exchange_guard(const request_table& table, std::shared_ptr<open_exchange> exchange);
    ~exchange_guard();
    exchange_guard(const exchange_guard&) = delete;
    exchange_guard& operator=(const exchange_guard&) = delete;

   private:
    const request_table& table_;
    std::shared_ptr<open_exchange> exchange_;
  };

 private:
  void end_exchange(const open_exchange& exchange) const;
  void settle(open_exchange& exchange) const;
  void settle_with(open_exchange& exchange, std::string text, std::int32_t error_code) const;
  bool close(open_request& request);
  void deliver(const open_request_ptr& request, std::string text, std::int32_t error_code) const;
  void deliver_problem(const open_request_ptr& request, const rpc_problem& problem) const;
  void cancel_request(const open_request_ptr& request);
  template <class Meant>
  std::vector<open_request_ptr> all_open(Meant meant) const;
  template <class Meant>
  void cancel_all(Meant meant);

  const message_outbox& outbox_;
  std::function<void()> settled_;
  /// By exchange and the text of the id. A client may repeat an id.
  std::multimap<std::pair<exchange_id, std::string>, open_request_ptr> open_;
};

} // namespace gasoline

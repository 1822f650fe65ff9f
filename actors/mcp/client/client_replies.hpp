#pragma once

#include "actors/mcp/client/connected_client.hpp"

namespace gasoline {

// What leaves for the client, and the table of requests under way. Every exchange but the
// connection itself (0) ends with exactly one message that is its last.

/// What the client calls itself, redacted and shortened.
std::string client_name(const client_state& state);

/// Sends a message that belongs to no exchange.
void send_unsolicited(client_pointer self, std::string text);

/// Sends a message that relates to an exchange which goes on.
void send_related(client_pointer self, exchange_id exchange, std::string text);

/// Asks the transport to end the exchange's stream early; the exchange goes on.
void send_stream_end(client_pointer self, exchange_id exchange);

/// Registers a request as under way. It is answered once, unless it is cancelled.
void open_slot(client_pointer self, const open_request_ptr& request);

/// Answers a request; nothing when it is no longer open.
void answer(client_pointer self, const open_request_ptr& request, const nlohmann::json& result);
void answer_problem(client_pointer self, const open_request_ptr& request,
                    const rpc_problem& problem);

/// Answers something in an exchange that was no message.
void answer_fault(client_pointer self, const rpc_fault& fault, open_exchange& exchange);

/// Ends a request without an answer.
void cancel_request(client_pointer self, const open_request_ptr& request);

/// The legacy or stdio cancellation: every open request with that id which the sender may mean.
void cancel_requests(client_pointer self, const nlohmann::json& id, exchange_id exchange);

/// Everything that is open in that exchange.
void cancel_exchange(client_pointer self, exchange_id exchange);

/// Ends the session and everything that belongs to it; nothing is pushed afterwards.
void end_session(client_pointer self);

/// The same, if the client has left and everything it asked is answered.
void end_when_answered(client_pointer self);

/// Keeps an exchange open while its messages are handled, so that it ends once.
class exchange_guard {
 public:
  exchange_guard(client_pointer self, std::shared_ptr<open_exchange> exchange);
  ~exchange_guard();
  exchange_guard(const exchange_guard&) = delete;
  exchange_guard& operator=(const exchange_guard&) = delete;

 private:
  client_pointer self_;
  std::shared_ptr<open_exchange> exchange_;
};

} // namespace gasoline

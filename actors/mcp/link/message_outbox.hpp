#pragma once

#include "messages/actors.hpp"

#include <string>

namespace gasoline {

/// What leaves for one client, in order.
class message_outbox {
 public:
  explicit message_outbox(message_writer writer) : writer_(std::move(writer)) {}

  void send(outgoing message) const;

  /// Sends a message that belongs to no exchange.
  void send_unsolicited(std::string text) const;

  /// Sends a message that relates to an exchange which goes on.
  void send_related(exchange_id exchange, std::string text) const;

  /// Asks the transport to end the exchange's stream early; the exchange goes on.
  void end_stream(exchange_id exchange) const;

  /// Nothing more is sent: the writer writes what it has and ends.
  void close() const;

 private:
  message_writer writer_;
};

} // namespace gasoline

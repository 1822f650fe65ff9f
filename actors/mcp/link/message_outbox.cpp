#include "actors/mcp/link/message_outbox.hpp"

#include <memory>
#include <utility>

namespace gasoline {

void message_outbox::send(outgoing message) const {
  caf::anon_send(writer_, write_atom_v, std::make_shared<const outgoing>(std::move(message)));
}

void message_outbox::send_unsolicited(std::string text) const {
  send_related(0, std::move(text));
}

void message_outbox::send_related(exchange_id exchange, std::string text) const {
  outgoing message;
  message.text = std::make_shared<const std::string>(std::move(text));
  message.exchange = exchange;
  send(std::move(message));
}

void message_outbox::end_stream(exchange_id exchange) const {
  outgoing message;
  message.exchange = exchange;
  message.close_stream = true;
  send(std::move(message));
}

void message_outbox::close() const {
  caf::anon_send(writer_, closed_atom_v);
}

} // namespace gasoline

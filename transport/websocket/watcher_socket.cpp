#include "transport/websocket/watcher_socket.hpp"

#include "transport/websocket/websocket_connection.hpp"

namespace gasoline {

std::uint64_t watcher_socket::send(std::vector<frame_text> frames, frame_pace pace) {
  const auto connection = connection_.lock();
  return connection ? connection->send(frames, pace) : 0;
}

void watcher_socket::close(std::uint16_t code, std::string reason) {
  client_ = watcher_actor{};
  if (const auto connection = connection_.lock())
    connection->close(code, reason);
  else
    closed_early_.emplace(code, std::move(reason));
}

void watcher_socket::start(http_takeover& from, const limits_of<http_room, session_room>& limit) {
  const auto self = shared_from_this();
  websocket_handlers handlers;
  handlers.text = [self](std::string text) {
    caf::anon_send(self->client_, receive_atom_v, std::move(text));
  };
  handlers.sent = [self](std::uint64_t frames) {
    caf::anon_send(self->client_, sent_atom_v, frames);
  };
  handlers.closed = [self] { self->abandon(); };
  const auto connection = std::make_shared<websocket_connection>(from, limit, std::move(handlers));
  connection_ = connection;
  connection->start();
  if (closed_early_)
    connection->close(closed_early_->first, closed_early_->second);
}

void watcher_socket::abandon() {
  if (const auto client = std::exchange(client_, watcher_actor{}))
    caf::anon_send(client, closed_atom_v);
}

} // namespace gasoline

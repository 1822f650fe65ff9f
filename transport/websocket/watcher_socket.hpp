#pragma once

#include "config/limits.hpp"
#include "messages/agents/session_actors.hpp"
#include "transport/http/http_takeover.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {

class websocket_connection;

/// The WebSocket of one client of a session, between its actor and its connection. Made before the
/// connection is, since the session decides whether there will be one. Used on the io thread only.
class watcher_socket final : public frame_port,
                             public std::enable_shared_from_this<watcher_socket> {
 public:
  std::uint64_t send(std::vector<frame_text> frames, frame_pace pace) override;
  void close(std::uint16_t code, std::string reason) override;

  /// The actor that hears of frames and of the end.
  void join(watcher_actor client) { client_ = std::move(client); }

  /// The upgrade is done.
  void start(http_takeover& from, const limits_of<http_room, session_room>& limit);

  /// The client has gone before or after that.
  void abandon();

 private:
  watcher_actor client_;
  std::weak_ptr<websocket_connection> connection_;
  std::optional<std::pair<std::uint16_t, std::string>>
      closed_early_; // before there was a connection
};

} // namespace gasoline

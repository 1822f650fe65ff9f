#pragma once

#include "tools/bench/peers/http_client.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gasoline::bench {

/// One WebSocket connection to a loopback server (RFC 6455), text frames only; reads never wait.
class websocket_client {
 public:
  /// Connects and shakes hands; blocking.
  websocket_client(std::uint16_t port, std::string_view target);

  bool connected() const { return open_; }

  /// Sends one text frame.
  void send(std::string_view text);

  /// Gives each text frame that has come to `take`; false once the connection has ended.
  bool drain(const std::function<void(std::string_view text)>& take);

  /// The socket, for `poll`.
  int descriptor() const { return http_.descriptor(); }

 private:
  http_client http_;
  std::string bytes_;
  bool open_ = false;
};

} // namespace gasoline::bench

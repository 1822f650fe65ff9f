#pragma once

#include "config/settings.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace gasoline {

/// A frame, as it came.
struct feed_frame {
  std::string text;
};

/// The connection has ended.
struct feed_close {
  std::uint16_t code = 1006; ///< 1006: without a word
  std::string reason;
};

/// Nothing came in time.
struct feed_silence {};

using feed_news = std::variant<feed_silence, feed_frame, feed_close>;
using feed_deadline = std::chrono::steady_clock::time_point;

/// A client's side of a session's WebSocket. Blocks; used by one thread.
class session_feed {
 public:
  virtual ~session_feed() = default;

  /// Sends a frame. That the connection is gone, the next `read` tells.
  virtual void write(const nlohmann::json& frame) = 0;

  /// What comes next, if it comes by then.
  virtual feed_news read(feed_deadline until) = 0;

  /// Closes it with a code, as far as the engine still listens. Nothing must follow.
  virtual void close(std::uint16_t code) = 0;
};

/// Opens the `ws_url` that the engine names in its answer to `GET /sessions/{id}`. The error is a
/// sentence.
result_or<std::unique_ptr<session_feed>>
open_session_feed(const settings& config, std::string_view url, feed_deadline until);

} // namespace gasoline

#pragma once

#include "messages/agents/session_event.hpp"
#include "transport/websocket/websocket_frame.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// What a socket made of the bytes that wait for it.
enum class write_progress : std::uint8_t {
  done,    ///< it has taken all
  blocked, ///< it takes no more for now
  gone     ///< nobody reads there any more
};

/// The frames that one WebSocket has still to write. All of them leave in one gather write as far
/// as the socket takes them; the texts are shared, not copied.
class websocket_output {
 public:
  /// Text frames, behind what is waiting.
  void add(const std::vector<frame_text>& frames);

  /// The answer to a ping, ahead of frames that have not begun. Of many that wait only the newest
  /// are sent (RFC 6455, section 5.5.3), so that a flood of pings costs no memory.
  void add_pong(std::string_view payload);

  /// The last frame. What is added later is ignored.
  void add_close(std::uint16_t code, std::string_view reason);

  /// Writes what the socket takes without waiting.
  write_progress write_to(int socket);

  /// Text frames that have been written to their end since the last call.
  std::uint64_t take_sent() { return std::exchange(sent_, 0); }

 private:
  struct piece {
    websocket_header header;
    frame_text body; ///< never null
    bool pongs = false;
    bool text = false; ///< a text frame

    std::size_t size() const { return header.bytes().size() + body->size(); }
  };

  void insert_pongs();
  void advance(std::size_t bytes);
  bool empty() const { return next_ == pieces_.size(); }

  std::vector<piece> pieces_;
  std::size_t next_ = 0;   // those before it have been written
  std::size_t offset_ = 0; // and so many bytes of this one
  std::deque<std::string> pongs_;
  bool pongs_placed_ = false; // some of them are among the pieces and not written yet
  std::uint64_t sent_ = 0;    // text frames since the last `take_sent`
  bool ended_ = false;
};

} // namespace gasoline

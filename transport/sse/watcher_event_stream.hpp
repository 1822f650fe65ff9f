#pragma once

#include "messages/agents/session_actors.hpp"
#include "transport/http/http_stream.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// The event stream (`text/event-stream`) of one client of a session, between its actor and its
/// response: each frame is an event without a name, an event of the session has its id, and pings
/// are comments. Made before the response is, since the session decides whether there will be one.
/// Used on the io thread only.
class watcher_event_stream final : public frame_port,
                                   public std::enable_shared_from_this<watcher_event_stream> {
 public:
  std::uint64_t send(std::vector<frame_text> frames, frame_pace pace) override;

  /// Ends the response; a client comes back by itself, and is refused then if there is a reason to.
  void close(std::uint16_t code, std::string reason) override;

  /// The actor that hears of what was written and of the end.
  void join(watcher_actor client) { client_ = std::move(client); }

  /// The head of the response was written.
  void start(http_stream_ptr out);

  /// The client has gone before or after that.
  void abandon();

 private:
  void write_some();
  void on_drained();

  watcher_actor client_;
  http_stream_ptr out_; ///< null: not begun, or ended
  std::deque<frame_text> waiting_;
  std::uint64_t written_ = 0; ///< frames that the socket has not taken yet
  bool closed_ = false;
};

} // namespace gasoline

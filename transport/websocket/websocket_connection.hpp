#pragma once

#include "config/limits.hpp"
#include "messages/agents/session_event.hpp"
#include "transport/http/http_takeover.hpp"
#include "transport/websocket/websocket_output.hpp"
#include "transport/websocket/websocket_reader.hpp"

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What a WebSocket tells whoever uses it, on the io thread.
struct websocket_handlers {
  std::function<void(std::string text)> text;     ///< a whole text message
  std::function<void(std::uint64_t frames)> sent; ///< the socket has taken that many frames
  std::function<void()> closed; ///< the peer has gone or closes; called once, nothing follows
};

/// The server's side of one WebSocket (RFC 6455). Text messages only, no extensions. Holds no
/// buffer while nothing comes: Boost.Beast's stream keeps 8.4 KiB for each client that it has
/// written to, a whole idle client of a session takes 2.8 KiB. Lives in `http_traffic::taken` until
/// it ends. Used on the io thread only.
class websocket_connection : public taken_connection,
                             public std::enable_shared_from_this<websocket_connection>,
                             private websocket_events {
 public:
  websocket_connection(http_takeover& from, const limits_of<http_room, session_room>& limit,
                       websocket_handlers handlers);
  websocket_connection(const websocket_connection&) = delete;
  websocket_connection& operator=(const websocket_connection&) = delete;
  ~websocket_connection() override = default;

  /// Reads what the client has sent ahead, and from then on.
  void start();

  /// Writes these frames in order, in one write as far as the socket takes them. Answers how many
  /// it has taken; the handler `sent` is told of the rest. To be called again only after that.
  std::uint64_t send(const std::vector<frame_text>& frames, frame_pace pace);

  /// Closes from this side: what was given is written first, then the close frame. Ends when the
  /// peer has closed as well, and after `session_close_ms` at the latest. The handlers are
  /// forgotten.
  void close(std::uint16_t code, std::string_view reason);

  void drop() override;

 private:
  enum class phase : std::uint8_t {
    open,
    closing,    ///< our close frame waits or was sent; the peer's is still to come
    discarding, ///< the same after a fault: what comes is no longer looked at
    answering,  ///< the peer has closed; our close frame is being written
    ended
  };

  template <class F>
  void guarded(F step);
  void on_text(std::string text) override;
  void on_ping(std::string_view payload) override;
  void on_close(std::uint16_t code) override;
  void set_pace(frame_pace pace);
  void wait_for_bytes();
  void read();
  void take(std::string_view bytes);
  void write();
  void go_on(write_progress progress);
  void on_all_written();
  void begin_closing(phase next, std::uint16_t code, std::string_view reason);
  void tell_closed();
  void arm_deadline();
  void end();

  using clock = std::chrono::steady_clock;
  using timer =
      boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, http_executor>;

  http_socket socket_;
  std::shared_ptr<http_traffic> traffic_;
  std::string early_;
  websocket_handlers handlers_;
  websocket_reader reader_;
  websocket_output output_;
  std::chrono::milliseconds close_time_;
  std::uint64_t discard_cap_;
  std::uint64_t live_buffer_bytes_;
  std::uint64_t replay_buffer_bytes_;
  frame_pace pace_ = frame_pace::live;
  std::uint64_t discarded_ = 0;
  std::optional<timer> deadline_; // only while closing
  phase phase_ = phase::open;
  bool waiting_for_room_ = false; // the socket takes no more for now
};

} // namespace gasoline

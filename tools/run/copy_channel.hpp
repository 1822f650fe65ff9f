#pragma once

#include "messages/base/file_descriptor.hpp"
#include "tools/run/copy_backlog.hpp"
#include "tools/run/run_options.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace gasoline {

/// Names the observer to the program that becomes one: its first argument.
inline constexpr std::string_view observer_argument = "--observe-command";

/// The way from the passage to the observer, another process that reads the copy of the output. It
/// never blocks the passage: what the observer has no time for waits in a bounded backlog. A
/// command that prints more than can be read gets the processors: while the channel is behind, it
/// sends 64 KB every 10 ms.
class copy_channel {
 public:
  /// Starts the observer, a program that lies beside this one. Without it the channel does nothing.
  void start(const run_options& options);

  /// Hands on bytes, or keeps them.
  void copy(copy_kind kind, std::string_view bytes);

  /// Bytes that come here in the order and that nobody has kept.
  void leave_out(std::uint64_t bytes);

  /// Sends what waits, as far as that goes at once.
  void flush();

  /// Sends the wait status of the command and waits until the observer has told the engine
  /// everything, at most that long. False: it has not, and goes on by itself once nothing waits
  /// here.
  bool finish(int wait_status, std::chrono::nanoseconds patience);

  /// The same for a wait status that has been sent, or waits.
  bool await_observer(std::chrono::nanoseconds patience);

  /// Prints what the observer has to say to the user. False: it has ended.
  bool take_notices();

  int descriptor() const noexcept { return socket_.get(); } ///< -1: no observer
  bool has_backlog() const noexcept { return !backlog_.empty(); }

  /// Whether it should be flushed when the observer can take more; else after `next_flush_ms`.
  bool awaits_room() const noexcept { return has_backlog() && !is_behind(); }
  int next_flush_ms() const noexcept; ///< -1: nothing is due

  /// Whether something had to be left out and the observer has not caught up since.
  bool is_behind() const noexcept { return backlog_.is_behind(); }
  std::uint64_t left_out() const noexcept { return backlog_.left_out(); } ///< bytes, in all

 private:
  bool send(std::string_view packet);
  void send_backlog(); ///< all that goes at once
  void close();

  file_descriptor socket_;
  copy_backlog backlog_;
  std::chrono::steady_clock::time_point sent_at_{};
  bool finished_ = false;
};

} // namespace gasoline

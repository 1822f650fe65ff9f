#pragma once

#include "tools/run/run_options.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace gasoline {

/// Names the observer to the program that becomes one: its first argument.
inline constexpr std::string_view observer_argument = "--observe-command";

/// What a packet between the passage and the observer is; its first byte.
enum class copy_kind : char {
  output = 'o',   ///< bytes of standard output, or of the terminal
  error = 'e',    ///< bytes of standard error, where it has a pipe of its own
  gap = 'g',      ///< so many bytes are missing here: a decimal number
  status = 's',   ///< the command ended: its wait status, a decimal number
  notice = 'n',   ///< from the observer: a sentence for the user
  finished = 'f', ///< from the observer: all that was found has been sent, or given up
};

/// The way from the passage to the observer, another process that reads the copy of the output. It
/// never blocks the passage: what the observer has no time for waits in a bounded backlog, and what
/// does not fit there is left out and counted.
class copy_channel {
 public:
  /// Starts the observer, a program that lies beside this one. Without it the channel does nothing.
  explicit copy_channel(const run_options& options);
  ~copy_channel();
  copy_channel(const copy_channel&) = delete;
  copy_channel& operator=(const copy_channel&) = delete;

  /// Hands on bytes, or keeps them, or counts them as dropped.
  void copy(copy_kind kind, std::string_view bytes);

  /// Sends what waits, as far as that goes at once.
  void flush();

  /// Sends the wait status of the command and waits for the observer to end, at most that long.
  void finish(int wait_status, std::chrono::milliseconds patience);

  /// Prints what the observer has to say to the user. False: it has ended.
  bool take_notices();

  int descriptor() const noexcept { return fd_; } ///< -1: no observer
  bool has_backlog() const noexcept { return !backlog_.empty(); }
  std::uint64_t dropped_bytes() const noexcept { return dropped_; }

 private:
  bool send(std::string_view packet);
  void keep(std::string packet);
  void close();

  int fd_ = -1;
  std::deque<std::string> backlog_;
  std::size_t backlog_bytes_ = 0;
  std::uint64_t gap_ = 0; ///< dropped since the last packet that was kept
  std::uint64_t dropped_ = 0;
  bool finished_ = false;
};

} // namespace gasoline

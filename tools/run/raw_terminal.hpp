#pragma once

#include <termios.h>

namespace gasoline {

/// The user's terminal at standard input, handed to the command's own terminal key by key. Puts
/// everything back when it ends.
class raw_terminal {
 public:
  raw_terminal() = default;
  ~raw_terminal() { restore(); }
  raw_terminal(const raw_terminal&) = delete;
  raw_terminal& operator=(const raw_terminal&) = delete;

  /// Raw mode, unless this job is in the background, where the terminal is not its own.
  void enter();
  void restore();
  bool is_raw() const noexcept { return raw_; }

 private:
  termios before_{};
  bool raw_ = false;
};

/// Gives the terminal `to` the window size of `from`.
void copy_window_size(int from, int to);

} // namespace gasoline

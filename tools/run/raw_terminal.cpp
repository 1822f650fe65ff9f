#include "tools/run/raw_terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace gasoline {

void raw_terminal::enter() {
  if (raw_ || ::tcgetpgrp(STDIN_FILENO) != ::getpgrp())
    return;
  if (::tcgetattr(STDIN_FILENO, &before_) != 0)
    return;
  auto raw = before_;
  ::cfmakeraw(&raw);
  raw_ = ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

void raw_terminal::restore() {
  if (!raw_)
    return;
  raw_ = false;
  if (::tcgetpgrp(STDIN_FILENO) == ::getpgrp())
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

void copy_window_size(int from, int to) {
  winsize size{};
  if (::ioctl(from, TIOCGWINSZ, &size) == 0)
    ::ioctl(to, TIOCSWINSZ, &size);
}

} // namespace gasoline

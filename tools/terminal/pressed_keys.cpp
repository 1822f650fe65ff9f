#include "tools/terminal/pressed_keys.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

namespace gasoline {
namespace {

// For the signal handler, which has nothing else.
termios before{};
volatile bool changed = false;

} // namespace

pressed_keys::pressed_keys() {
  if (::isatty(STDIN_FILENO) != 1 || ::tcgetattr(STDIN_FILENO, &before) != 0)
    return;
  auto keys = before;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  keys.c_cc[VMIN] = 0;
  keys.c_cc[VTIME] = 0;
  changed = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &keys) == 0;
}

pressed_keys::~pressed_keys() {
  restore();
}

std::optional<char> pressed_keys::next() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  char key = 0;
  if (!changed || ::poll(&input, 1, 0) != 1 || ::read(STDIN_FILENO, &key, 1) != 1)
    return std::nullopt;
  return key;
}

void pressed_keys::forget() {
  if (changed)
    ::tcflush(STDIN_FILENO, TCIFLUSH);
}

void pressed_keys::restore() {
  if (changed)
    ::tcsetattr(STDIN_FILENO, TCSANOW, &before);
  changed = false;
}

} // namespace gasoline

#pragma once

#include <optional>

namespace gasoline {

/// Single keys from the terminal, without Return and without their letters showing, for as long as
/// this lives; what was typed before is not among them. There are none where standard input is no
/// terminal. One at a time: a signal that ends the program has to leave the terminal as it was.
class pressed_keys {
 public:
  pressed_keys();
  pressed_keys(const pressed_keys&) = delete;
  pressed_keys& operator=(const pressed_keys&) = delete;
  ~pressed_keys();

  /// The next key that was pressed; nothing: none waits.
  std::optional<char> next();

  /// Keys that were pressed until now answer nothing.
  void forget();

  /// Leaves the terminal as it was. Only what a signal handler may do.
  static void restore();
};

} // namespace gasoline

#pragma once

namespace gasoline {

/// What a packet between the passage and the observer is; its first byte.
enum class copy_kind : char {
  output = 'o',   ///< bytes of standard output, or of the terminal
  error = 'e',    ///< bytes of standard error, where it has a pipe of its own
  gap = 'g',      ///< so many bytes are missing here: a decimal number
  status = 's',   ///< the command ended: its wait status, a decimal number
  notice = 'n',   ///< from the observer: a sentence for the user
  finished = 'f', ///< from the observer: all that was found has been sent, or given up
};

} // namespace gasoline

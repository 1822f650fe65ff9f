#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gasoline {

/// One frame of a stack as Chrome, Firefox, Safari, Node.js or Python write it, as views into its
/// line.
struct stack_frame {
  std::string_view function; ///< without `async`; empty: anonymous
  std::string_view place;    ///< the address with its position, as written; empty: native code
  std::string_view file;     ///< the address alone
  std::uint32_t line = 0;    ///< from 1; 0: not told
  std::uint32_t column = 0;  ///< from 1; 0: not told
  bool async = false;        ///< what follows was left before
};

/// Reads one line; nothing when it is no frame, such as the message at the top or a note about
/// frames that were left out. Code that was made by `eval` is placed where `eval` was called.
std::optional<stack_frame> parse_frame(std::string_view line);

/// The address without line and column at its end.
std::string_view without_position(std::string_view place);

/// Calls `visit` with each line, without its line break; stops when it answers false.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (!visit(text.substr(0, end)))
      return;
    if (end == std::string_view::npos)
      return;
    text.remove_prefix(end + 1);
  }
}

} // namespace gasoline

#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// JSON text whose broken characters are kept as marks, which are private code points
/// (U+10F000..U+10F8FF): lone `\u` surrogates and bytes that are no UTF-8. Servers cut answers
/// between UTF-16 units or bytes, so that one event ends with a part of a character and the next
/// begins with the other.
std::string with_marked_breaks(std::string_view json);

/// Puts the characters of one text together that were cut between its pieces.
class character_joiner {
 public:
  /// What is whole of the text by now; a part of a character at its end waits for the next piece.
  /// What can become no character is U+FFFD.
  std::string join(std::string_view piece);

  /// What still waits, as U+FFFD; empty: nothing does.
  std::string rest();

 private:
  std::string held_; // marks
};

} // namespace gasoline

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// One step through UTF-8: a code point, or the length of an ill-formed part.
struct utf8_step {
  std::uint32_t code_point = 0;
  std::size_t length = 1;
  bool valid = false;
};

/// What stands at `pos`. Ill-formed parts are as long as the Unicode standard recommends (maximal
/// subparts). Past the end of the text there are zeros.
utf8_step read_utf8(std::string_view text, std::size_t pos);

/// Whether all bytes of the text are characters by themselves.
bool is_ascii(std::string_view text);

/// The longest beginning of `text` within that many bytes that does not end within a character.
std::string_view utf8_beginning(std::string_view text, std::size_t bytes);

/// The text; of a longer one such a beginning, and `…`.
std::string utf8_shortened(std::string_view text, std::size_t bytes);

} // namespace gasoline

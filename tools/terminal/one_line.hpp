#pragma once

#include "messages/base/utf8.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace gasoline {

/// The beginning of a text as one line of at most 200 bytes; `…` stands for the rest.
inline std::string one_line(std::string_view text) {
  constexpr std::size_t longest = 200;
  const auto line = utf8_beginning(text.substr(0, text.find('\n')), longest);
  std::string out{line};
  return line.size() < text.size() ? out + " …" : out;
}

} // namespace gasoline

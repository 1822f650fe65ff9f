#pragma once

#include "messages/base/redacted_text.hpp"

#include <string_view>

namespace gasoline {

/// A part of a redacted text as redacted text. `part` must be a view into `whole`, or empty.
inline redacted_text part_of(const redacted_text& whole, std::string_view part) {
  redacted_text out;
  if (!part.empty())
    out.append_part(whole, static_cast<std::size_t>(part.data() - whole.view().data()),
                    part.size());
  return out;
}

/// Up to the first line break.
inline std::string_view first_line(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  return text.substr(0, text.find('\r'));
}

} // namespace gasoline

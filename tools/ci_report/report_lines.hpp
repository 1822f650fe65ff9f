#pragma once

#include <istream>
#include <string>

namespace gasoline {

/// Reads the next line without its end, at most 256 KB of it; the rest is passed over. False: there
/// is none.
inline bool read_report_line(std::istream& in, std::string& line) {
  constexpr std::size_t most_bytes = 256U << 10U;
  line.clear();
  auto* const bytes = in.rdbuf();
  bool any = false;
  for (int c = bytes->sbumpc(); c != std::char_traits<char>::eof(); c = bytes->sbumpc()) {
    any = true;
    if (c == '\n')
      break;
    if (line.size() < most_bytes)
      line += static_cast<char>(c);
  }
  if (!line.empty() && line.back() == '\r')
    line.pop_back();
  return any;
}

} // namespace gasoline

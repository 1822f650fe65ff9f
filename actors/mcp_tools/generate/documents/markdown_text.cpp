#include "actors/mcp_tools/generate/documents/markdown_text.hpp"

#include <algorithm>
#include <cstddef>

namespace gasoline {
namespace {

/// More backticks than stand anywhere in the text in a row.
std::string fence_for(std::string_view text, std::size_t least) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max(least, longest + 1), '`');
}

} // namespace

std::string markdown_span(std::string_view text) {
  std::string line{text};
  for (auto& c : line)
    if (c == '\n' || c == '\r' || c == '\t')
      c = ' ';
  if (line.find_first_not_of(' ') == std::string::npos)
    return "(empty)";
  const auto fence = fence_for(line, 1);
  // Blanks at both ends belong to the code span, so that it may begin with a backtick.
  return fence + ' ' + line + ' ' + fence;
}

std::string markdown_block(std::string_view text) {
  constexpr std::size_t usual = 3;
  const auto fence = fence_for(text, usual);
  std::string body{text};
  std::erase(body, '\r');
  return fence + "text\n" + body + (body.ends_with('\n') ? "" : "\n") + fence + "\n";
}

} // namespace gasoline

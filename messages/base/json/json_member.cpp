#include "messages/base/json/json_member.hpp"

namespace gasoline {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// The scalar that begins at an index; empty when something else does.
std::string_view scalar_at(std::string_view text, std::size_t begin) {
  if (begin >= text.size() || text[begin] == '{' || text[begin] == '[')
    return {};
  if (text[begin] == '"')
    return text.substr(begin, end_of_json_string(text, begin) + 1 - begin);
  return text.substr(begin, text.find_first_of(",}] \t\r\n", begin) - begin);
}

} // namespace

std::size_t end_of_json_string(std::string_view text, std::size_t begin) {
  for (auto at = text.find('"', begin + 1); at != std::string_view::npos;
       at = text.find('"', at + 1)) {
    std::size_t escapes = 0;
    while (text[at - 1 - escapes] == '\\' && at - 1 - escapes > begin)
      ++escapes;
    if (escapes % 2 == 0)
      return at;
  }
  return text.size();
}

std::string_view scalar_member(std::string_view text, std::string_view name) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      depth -= depth > 0 ? 1 : 0;
    } else if (c == '"') {
      const auto key = i + 1;
      i = end_of_json_string(text, i);
      if (depth != 1 || text.substr(key, i - key) != name)
        continue;
      const auto colon = text.find_first_not_of(blanks, i + 1);
      if (colon != std::string_view::npos && text[colon] == ':')
        return scalar_at(text, text.find_first_not_of(blanks, colon + 1));
    }
  }
  return {};
}

} // namespace gasoline

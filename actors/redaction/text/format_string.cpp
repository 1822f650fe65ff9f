#include "actors/redaction/text/format_string.hpp"

#include "actors/redaction/rules/characters.hpp"

#include <algorithm>
#include <cstddef>

namespace gasoline::redaction {
namespace {

/// Enough for any message; a longer list of arguments is one of data.
constexpr std::size_t most_arguments = 32;
/// How far in front of a directive its name may begin.
constexpr std::size_t directive_reach = 64;

/// The length of the directive that begins the text; 0 when there is none.
std::size_t directive_length(std::string_view text) {
  if (text.starts_with('{')) {
    const auto end = text.find_first_not_of("0123456789", 1);
    return end != npos && text[end] == '}' ? end + 1 : 0;
  }
  if (!text.starts_with('%'))
    return 0;
  const auto letter = text.find_first_not_of("0123456789.+-# *", 1);
  return letter != npos && any_of(text[letter], "sdifoOcjvqxXpuge") ? letter + 1 : 0;
}

/// The words in front of a directive without what ties them to it: `token is `, `password="`.
std::string_view name_before(std::string_view text) {
  text = text.substr(text.size() - std::min(text.size(), directive_reach));
  constexpr std::string_view ties = " :='\"`([<";
  for (;;) {
    const auto end = text.find_last_not_of(ties);
    text = end == npos ? std::string_view{} : text.substr(0, end + 1);
    const bool link = text.ends_with(" is") || text.ends_with(" was");
    if (!link && !text.ends_with("%c"))
      return text;
    text.remove_suffix(link ? 3 : 2);
  }
}

key_class announced_by_name(std::string_view text) {
  const auto name = name_before(text);
  const auto judged = classify_key(name);
  if (!is_token_key(name))
    return judged;
  // Parsers name tokens of their own.
  const auto words = lowered(name);
  for (const std::string_view talk : {"unexpected", "illegal", "unknown", "expected"})
    if (words.find(talk) != std::string::npos)
      return key_class::plain;
  return judged;
}

} // namespace

std::vector<key_class> announced_arguments(std::string_view format) {
  std::vector<key_class> list;
  std::size_t begin = 0;
  for (auto p = format.find_first_of("%{"); p != npos && list.size() < most_arguments;
       p = format.find_first_of("%{", p)) {
    if (format.substr(p, 2) == "%%") {
      p += 2;
      continue;
    }
    const std::size_t length = directive_length(format.substr(p));
    if (length == 0) {
      ++p;
      continue;
    }
    list.push_back(announced_by_name(format.substr(begin, p - begin)));
    const bool style = format[p + length - 1] == 'c';
    p += length;
    begin = style ? begin : p;
  }
  const bool silent =
      std::all_of(list.begin(), list.end(), [](auto judged) { return judged == key_class::plain; });
  return silent ? std::vector<key_class>{} : list;
}

} // namespace gasoline::redaction

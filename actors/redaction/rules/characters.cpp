#include "actors/redaction/rules/characters.hpp"

#include <algorithm>

namespace gasoline::redaction {

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_digit);
}

std::string lowered(std::string_view text) {
  std::string out{text};
  for (char& c : out)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c + 32);
  return out;
}

bool same_letters(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && lowered(text) == lower;
}

bool has_substance(std::string_view text) {
  return text.size() >= 4 || std::any_of(text.begin(), text.end(), [](char c) {
           return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80;
         });
}

bool is_call(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), [](char c) {
    return is_letter(c) || c == '_' || c == '$' || c == '.';
  });
  return end != text.begin() && end != text.end() && *end == '(' &&
         (text.find(')') != npos || end + 1 == text.end() || is_quote(end[1]));
}

bool is_path(std::string_view text) {
  return text.starts_with('/') || text.starts_with('~') || text.starts_with('.') ||
         (text.size() > 2 && is_letter(text[0]) && text[1] == ':');
}

bool goes_on(std::string_view rest) {
  if (rest.empty() || is_space(rest.front()) || is_quote(rest.front()) || is_control(rest.front()))
    return true;
  const auto name =
      std::find_if_not(rest.begin(), rest.end(), [](char c) { return is_name_char(c); });
  const auto length = static_cast<std::size_t>(name - rest.begin());
  if (length == 0)
    return any_of(rest.front(), ")]}\\{");
  const auto after = rest.find_first_not_of(' ', length);
  return length < rest.size() && after != npos && any_of(rest[after], "=:");
}

bool pair_follows(std::string_view rest) {
  if (rest.starts_with("amp;") || rest.starts_with("#"))
    return true;
  const auto end = std::find_if_not(rest.begin(), rest.end(),
                                    [](char c) { return is_name_char(c) || any_of(c, "%[]"); });
  return end != rest.end() && *end == '=';
}

std::size_t without_closers(std::string_view text) {
  constexpr std::size_t most_closers = 16;
  const std::size_t least = text.size() - std::min(text.size(), most_closers);
  std::size_t end = text.size();
  while (end > least) {
    const char c = text[end - 1];
    const char opener = c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : c == '>' ? '<' : '\0';
    const bool list_sign = c == ',' || c == ';';
    if (!list_sign && opener == '\0')
      break;
    const auto inside = text.substr(0, end);
    if (!list_sign && std::count(inside.begin(), inside.end(), opener) >=
                          std::count(inside.begin(), inside.end(), c))
      break;
    --end;
  }
  return end;
}

bool is_host(std::string_view rest, host_names wanted) {
  if (rest.starts_with('['))
    return rest.find(']') != npos;
  const auto stop = std::find_if_not(rest.begin(), rest.end(), is_name_char);
  const auto host = rest.substr(0, static_cast<std::size_t>(stop - rest.begin()));
  if (host.empty() || !is_alnum(host.front()))
    return false;
  const auto tail = rest.substr(host.size());
  const bool port = tail.size() > 1 && tail[0] == ':' && is_digit(tail[1]);
  if (!tail.empty() && !port && !any_of(tail[0], "/?#,;)]}'\\. :"))
    return false;
  if (tail.size() > 1 && tail[0] == ':' && !port && is_name_char(tail[1]))
    return false;
  const auto dot = host.find_last_of('.');
  if (dot == npos)
    return wanted == host_names::bare || port || host == "localhost";
  const auto last = host.substr(dot + 1);
  if (all_digits(last))
    return std::count(host.begin(), host.end(), '.') == 3;
  return last.size() >= 2 && std::all_of(last.begin(), last.end(), is_letter);
}

bool is_host_and_port(std::string_view authority) {
  const auto colon = authority.find_last_of(':');
  if (authority.starts_with('[') || colon == npos)
    return true;
  const auto port = authority.substr(colon + 1);
  return port.empty() || (all_digits(port) && port.size() <= 5);
}

bool is_port(std::string_view text) {
  constexpr std::size_t longest_port = 5;
  const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
  if (end == text.size())
    return end <= longest_port;
  return end > 0 ? end <= longest_port && !is_alnum(text[end]) && text[end] != '_'
                 : !is_alnum(text[0]);
}

bool is_cut_authority(std::string_view rest) {
  constexpr std::size_t longest_authority = 256;
  rest = rest.substr(0, longest_authority);
  const auto user =
      std::find_if_not(rest.begin(), rest.end(), [](char c) { return is_alnum(c) || c == '.'; });
  // Most authorities end here, at a port or at the path.
  if (user == rest.begin() || user == rest.end() || *user == '/')
    return false;
  if (*user == ':') {
    const auto port = std::find_if_not(user + 1, rest.end(), is_digit);
    if (port != user + 1 && (port == rest.end() || !is_alnum(*port)))
      return false;
  }
  const auto part = rest.substr(0, rest.find_first_of("/?#@\\ \t\r\n\"'<>`"));
  if (part.size() < rest.size() && rest[part.size()] == '@')
    return false;
  const auto colon = part.find(':');
  if (colon == npos || colon == 0 || part.front() == '[' || is_port(part.substr(colon + 1)))
    return false;
  // Documentation: `scheme://host:port`.
  const auto word = part.substr(colon + 1);
  return lowered(word.substr(0, 4)) != "port" || (word.size() > 4 && is_alnum(word[4]));
}

std::size_t longest_segment(std::string_view text) {
  std::size_t longest = 0;
  std::size_t current = 0;
  for (const char c : text) {
    current = is_alnum(c) ? current + 1 : 0;
    longest = std::max(longest, current);
  }
  return longest;
}

} // namespace gasoline::redaction

#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/text/text_pass.hpp"

#include <algorithm>

namespace gasoline::redaction {
namespace {

/// How far a list of users is followed.
constexpr std::size_t list_reach = 8'192;

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" -"), line.size());
}

/// A line of a text without its line break.
std::string_view line_at(std::string_view text, std::size_t begin) {
  auto line = text.substr(begin, text.find('\n', begin) - begin);
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

} // namespace

/// Values below `data` and `stringData` of every YAML document of `kind: Secret`, wherever the kind
/// stands in it.
void text_pass::plan_secrets() {
  constexpr std::string_view kind = "kind: Secret";
  for (auto p = in_.find(kind); p != npos; p = in_.find(kind, p + kind.size())) {
    if (is_alnum(at(p + kind.size())))
      continue;
    const auto above = in_.rfind("\n---", p);
    const auto below = in_.find("\n---", p);
    const std::size_t end = std::min(below, in_.size());
    bool inside = false;
    std::size_t indent = 0;
    for (std::size_t begin = above == npos ? 0 : above + 1; begin < end;) {
      const auto line = line_at(in_, begin);
      const auto depth = indent_of(line);
      const auto content = line.substr(depth);
      if (inside && !content.empty() && depth <= indent)
        inside = false;
      if (content == "data:" || content == "stringData:") {
        inside = true;
        indent = depth;
      } else if (inside && !content.empty()) {
        plan_setting(begin + depth, begin + line.size());
      }
      const auto next = in_.find('\n', begin);
      begin = next == npos ? in_.size() : next + 1;
    }
    p = end == in_.size() ? p : end;
  }
}

/// `name: value` of a secret, or a line of a block: the value.
void text_pass::plan_setting(std::size_t begin, std::size_t end) {
  const auto line = in_.substr(begin, end - begin);
  const auto colon = line.find(':');
  const auto name_end = std::find_if_not(
      line.begin(), line.end(), [](char c) { return is_name_char(c) || is_quote(c) || c == '/'; });
  const bool named = colon != npos && line.begin() + static_cast<std::ptrdiff_t>(colon) == name_end;
  std::size_t value = begin + (named ? colon + 1 : 0);
  value = skip_blanks(value);
  if (value < end && quote_length(value) > 0) {
    value += quote_length(value);
    end = std::min(end, closing_quote(value - 1));
  }
  const auto text = in_.substr(value, end > value ? end - value : 0);
  if (!text.empty() && !is_placeholder(text) && !text.starts_with("|") && !text.starts_with(">"))
    plan(value, end, "secret-manifest");
}

/// `db.test:5432:app:ann:x`: a line of `.pgpass`.
bool text_pass::password_line(std::size_t port) {
  const auto before_port = port == 0 ? npos : in_.rfind('\n', port - 1);
  std::size_t begin = before_port == npos ? 0 : before_port + 1;
  // Only the last word of what stands in front of it is the host.
  while (begin < port) {
    const auto blank = in_.substr(begin, port - begin).find_last_of(" \t\"'");
    if (blank == npos)
      break;
    begin += blank + 1;
  }
  constexpr std::size_t colons_before = 4; // host, port, database, user
  std::size_t end = port;
  std::size_t colons = 0;
  std::size_t password = 0;
  for (; end < in_.size() && !is_space(in_[end]) && !is_control(in_[end]); ++end) {
    if (in_[end] != ':' || colons == colons_before)
      continue;
    if (++colons == colons_before)
      password = end + 1;
  }
  while (end > password && is_quote(in_[end - 1]))
    --end;
  const auto host = in_.substr(begin, port - begin);
  const bool named = !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
    return is_name_char(c) || c == '*' || c == '/';
  });
  const auto value = in_.substr(password, end > password ? end - password : 0);
  rule_ = "password-file";
  const bool sure = host.find('.') != npos || host == "localhost" || host == "*";
  return named && colons == colons_before && value.size() >= 3 && value.find("//") == npos &&
         (sure || looks_secret(value)) && !is_placeholder(value) && cover(password, end, mask);
}

/// `chpasswd` with a list of `user:x`, one a line.
bool text_pass::user_list(std::size_t behind) {
  const std::size_t stop = std::min(in_.size(), behind + list_reach);
  auto begin = in_.find('\n', behind);
  bool any = false;
  while (begin != npos && ++begin < stop) {
    const auto line = line_at(in_, begin);
    const auto depth = indent_of(line);
    const auto content = line.substr(depth);
    const auto colon = content.find(':');
    const auto value = content.substr(std::min(content.size(), colon == npos ? npos : colon + 1));
    const bool user =
        colon != npos && colon > 0 &&
        std::all_of(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(colon),
                    is_name_char);
    if (any && !user)
      break;
    if (user && !value.empty() && value.find(' ') == npos && !is_placeholder(value) &&
        value != "RANDOM" && value != "R") {
      plan(begin + depth + colon + 1, begin + depth + content.size(), "password-file");
      any = true;
    }
    begin = in_.find('\n', begin);
  }
  return false;
}

} // namespace gasoline::redaction

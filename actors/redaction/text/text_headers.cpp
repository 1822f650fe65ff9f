#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/text/text_pass.hpp"

namespace gasoline::redaction {

bool text_pass::authorization_value(std::size_t value) {
  std::size_t end = plain_end(value);
  const auto first = in_.substr(value, end - value);
  if (!has_substance(first) || (first.size() <= name_reach && is_placeholder(first)))
    return false;
  if (is_auth_scheme(first)) {
    const std::size_t next = skip_blanks(end);
    const std::size_t next_end = is_parameter_scheme(first) ? line_end(next) : plain_end(next);
    const auto second = in_.substr(next, next_end - next);
    const bool word =
        second.size() <= name_reach && (is_placeholder(second) || is_prose_word(second));
    if (second.empty() || word || second.starts_with("$("))
      return false;
    end = next_end;
  } else if (is_prose_word(first)) {
    return false;
  }
  return cover(value, end, mask);
}

bool text_pass::cookie_value(std::size_t value) {
  // A banner, a consent: no `name=` at the beginning, no cookie.
  if (in_.substr(value, tag_reach).find('=') == npos) {
    const std::size_t end = plain_end(value);
    const auto word = in_.substr(value, end - value);
    return (word.size() > name_reach || looks_secret(word)) && cover(value, end, mask);
  }
  const std::size_t end = line_end(value);
  return !is_mark(in_.substr(value, end - value)) && cover(value, end, mask);
}

} // namespace gasoline::redaction

#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/text/text_pass.hpp"

#include <algorithm>

namespace gasoline::redaction {
namespace {

/// How far a command, a call or a statement is followed.
constexpr std::size_t command_reach = 256;

} // namespace

/// Notes that a program begins here whose flags may hold a password, until its line ends.
bool text_pass::command(const trigger_effect& t, std::size_t begin) {
  if (!starts_word(begin))
    return false;
  if (begin >= program_end_)
    program_end_ = std::min(in_.find('\n', begin), in_.size());
  program_ = &password_programs()[t.shape];
  return false;
}

/// `-p secret`, `-psecret` of a program that takes it so; `-u user:password` of any.
bool text_pass::flag_password(std::size_t letter) {
  const char flag = in_[letter];
  const auto* program = letter < program_end_ ? program_ : nullptr;
  const bool known = program != nullptr && program->flags.find(flag) != npos;
  std::size_t value = letter + 1;
  const bool apart = at(value) == ' ';
  value = skip_blanks(value);
  if (at(value) == '-')
    return false;
  if (!known)
    return flag == 'u' && apart && command_password(value);
  using spelling = password_program::spelling;
  using part = password_program::part;
  if ((program->spelled == spelling::glued && apart) ||
      (program->spelled == spelling::apart && !apart))
    return false;
  if (program->secret == part::after_colon)
    return command_password(value);
  value += quote_length(value);
  std::size_t end = plain_end(value);
  if (program->secret == part::after_percent) {
    const auto sign = in_.substr(value, end - value).find('%');
    if (sign == npos)
      return false;
    value += sign + 1;
  }
  return !is_placeholder(in_.substr(value, end - value)) && cover(value, end, mask);
}

/// `curl -u user:password`, not `docker run -u 1000:1000`.
bool text_pass::command_password(std::size_t value) {
  const std::size_t quote = quote_length(value);
  const std::size_t close = quote > 0 ? closing_quote(value) : npos;
  value += quote;
  const std::size_t end = close == npos ? plain_end(value) : close;
  const auto text = in_.substr(value, end - value);
  const auto colon = text.find(':');
  if (colon == npos || text.find("[REDACTED") != npos || text.substr(colon, 3) == "://" ||
      all_digits(text.substr(colon + 1)) || is_placeholder(text.substr(colon + 1)))
    return false;
  return cover(value + colon + 1, end, mask);
}

/// `echo secret | sudo -S …`, `echo user:secret | chpasswd`.
bool text_pass::piped_password(std::size_t begin) {
  const std::size_t from = std::max(last_, begin - std::min(begin, command_reach));
  auto text = in_.substr(from, begin - from);
  if (const auto line = text.rfind('\n'); line != npos)
    text.remove_prefix(line + 1);
  const auto pipe = text.empty() || at(begin) == '|' ? text.size() : text.find('|');
  const auto echo = text.find("echo ");
  const auto print = text.find("printf ");
  if (pipe == npos || (echo == npos && print == npos))
    return false;
  const auto offset = static_cast<std::size_t>(text.data() - in_.data());
  std::size_t value = skip_blanks(offset + (echo != npos ? echo + 4 : print + 6));
  while (at(value) == '-')
    value = skip_blanks(in_.find(' ', value));
  value += quote_length(value);
  std::size_t end = offset + pipe;
  while (end > value && (is_space(in_[end - 1]) || is_quote(in_[end - 1])))
    --end;
  if (end <= value)
    return false;
  const bool pairs = in_.substr(begin, 10) == "| chpasswd";
  const bool encoded = in_.substr(begin, 8) == "| base64";
  if (const auto colon = in_.substr(value, end - value).find(':');
      colon != npos && (pairs || encoded))
    value += colon + 1;
  else if (encoded)
    return false;
  return !is_placeholder(in_.substr(value, end - value)) && cover(value, end, mask);
}

/// `user/password@alias` of Oracle's URLs and programs.
bool text_pass::oracle_password(std::size_t value) {
  const bool url = before(value) == ':';
  const bool parameter = before(value) == '=';
  if (url)
    value = std::min(in_.find(':', value), in_.size() - 1) + 1;
  for (std::size_t flags = 0; !url && flags < 4 && at(value) == '-'; ++flags) {
    const auto space = in_.find(' ', value);
    if (space == npos || space - value > command_reach)
      return false;
    value = skip_blanks(space);
  }
  value += quote_length(value);
  std::size_t slash = value;
  while (is_name_char(at(slash)) || any_of(at(slash), "$#\""))
    ++slash;
  if (at(slash) != '/' || slash == value)
    return false;
  std::size_t end = slash + 1;
  while (end < in_.size() && end - slash < command_reach && !is_space(in_[end]) &&
         !is_control(in_[end]))
    ++end;
  const auto sign = in_.substr(slash + 1, end - slash - 1).rfind('@');
  if (sign == npos && (url || parameter))
    return false;
  const auto password = in_.substr(slash + 1, sign == npos ? end - slash - 1 : sign);
  return !password.empty() && !is_placeholder(password) &&
         cover(slash + 1, slash + 1 + password.size(), mask);
}

/// `user/password@//host:1521/service`.
bool text_pass::oracle_host(std::size_t sign) {
  std::size_t begin = sign;
  while (begin > last_ && sign - begin < command_reach && !is_space(in_[begin - 1]) &&
         !is_control(in_[begin - 1]) && !any_of(in_[begin - 1], "/@=,;()"))
    --begin;
  if (begin == sign || before(begin) != '/' || begin < 2 || !is_name_char(in_[begin - 2]))
    return false;
  return !is_placeholder(in_.substr(begin, sign - begin)) && cover(begin, sign, mask);
}

/// `signIn("user", "password")`: what stands behind `skipped` arguments, all in quotes.
bool text_pass::call_password(std::size_t argument, std::size_t skipped) {
  std::size_t value = skip_space(argument);
  for (; skipped > 0; --skipped) {
    const std::size_t close = quote_length(value) > 0 ? closing_quote(value) : npos;
    if (close == npos || close - value > command_reach)
      return false;
    value = skip_space(close + quote_length(close));
    if (at(value) != ',')
      return false;
    value = skip_space(value + 1);
  }
  const std::size_t quote = quote_length(value);
  const std::size_t end = quote > 0 ? closing_quote(value) : npos;
  if (end == npos || end - value > command_reach || end == value + quote)
    return false;
  value += quote;
  return !is_placeholder(in_.substr(value, end - value)) && cover(value, end, mask);
}

} // namespace gasoline::redaction

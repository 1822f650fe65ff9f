#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/words.hpp"
#include "actors/redaction/text/text_pass.hpp"

#include <algorithm>

namespace gasoline::redaction {
namespace {

/// How long a phrase of several words may be.
constexpr std::size_t phrase_reach = 512;

/// `this.authToken = authToken`.
bool repeats_name(std::string_view name, std::string_view value) {
  return !value.empty() && name.ends_with(value) &&
         (name.size() == value.size() || !is_alnum(name[name.size() - value.size() - 1]));
}

} // namespace

bool text_pass::bound_value(const key_at& key, const separator& sep) {
  if (sep.kind != binding::word && sep.kind != binding::argument)
    if (const auto quote = literal_quote(sep.value); quote != npos && quote != sep.value)
      return quoted_value(key, sep, quote);
  // `auth=("user", "password")`
  if (at(sep.value) == '(' && quote_length(sep.value + 1) > 0)
    return call_password(sep.value + 1, 1);
  if (in_.substr(sep.value, 2) == "{}" && appended_argument(sep.value + 2))
    return true;
  if (in_.substr(sep.value).starts_with("-----BEGIN ") && private_key(sep.value))
    return true;
  if (quote_length(sep.value) > 0)
    return quoted_value(key, sep, sep.value);
  const bool signed_value = signed_to_key(sep.kind);
  const auto below = key.judged == key_class::vague ? key_class::plain : key.judged;
  if (signed_value && any_of(at(sep.value), "{[") && json(sep.value, below))
    return true;
  if (signed_value && is_authorization_key(key.name))
    return authorization_value(sep.value);
  if (sep.kind == binding::colon && is_cookie_key(key.name))
    return cookie_value(sep.value);
  return (sep.kind == binding::colon && block_value(sep.value)) || plain_value(key, sep);
}

bool text_pass::quoted_value(const key_at& key, const separator& sep, std::size_t quote) {
  const std::size_t begin = quote + quote_length(quote);
  const std::size_t close = closing_quote(quote);
  const bool spelled = !is_quote(in_[begin - 1]);
  const std::size_t end = close != npos ? close : spelled ? plain_end(begin) : line_end(begin);
  const auto value = in_.substr(begin, end - begin);
  if (value.empty() || is_placeholder(value) || is_complaint(value) ||
      is_scheme_placeholder(value) || (close == npos && !has_substance(value)))
    return false;
  if (sep.kind == binding::argument && !looks_secret(value))
    return false;
  if (key.judged == key_class::vague && !looks_opaque(value))
    return false;
  if (sep.kind == binding::word) {
    const bool secret = is_password_key(key.name) ? value.find(' ') == npos && !is_prose_word(value)
                                                  : looks_secret(value) && value.size() >= 8;
    if (!secret || is_parser_talk(key) || close == npos)
      return false;
  }
  if (key.judged == key_class::weak && is_prose_word(value))
    return false;
  if (is_parser_talk(key) && !looks_secret(value))
    return false;
  if (const std::size_t second =
          close == npos ? npos : skip_blanks(close + quote_length(close)) + 3;
      close != npos && (in_.substr(second - 3, 3) == "to " || in_.substr(second - 3, 3) == "-> ") &&
      quote_length(second) > 0)
    plan(second + quote_length(second), std::min(closing_quote(second), in_.size()), rule_);
  return cover(begin, end, mask);
}

bool text_pass::plain_value(const key_at& key, const separator& sep) {
  std::size_t end = plain_end(sep.value);
  // `Your code is 123456.`
  if (end > sep.value && in_[end - 1] == '.' &&
      all_digits(in_.substr(sep.value, end - 1 - sep.value)))
    --end;
  const auto value = in_.substr(sep.value, end - sep.value);
  if (is_format_directive(value))
    return appended_argument(end);
  if (!is_masked_plain(key, sep, value))
    return false;
  // `passwd: password updated`: prose about what a key is for.
  if (sep.kind == binding::colon && at(end) == ' ' && is_letter(at(end + 1)) && !has_digit(value) &&
      classify_key(value) != key_class::plain)
    return false;
  const auto name = lowered(key.name);
  if (sep.kind == binding::colon && (name.ends_with("phrase") || name.ends_with("mnemonic"))) {
    const auto line = in_.substr(sep.value, phrase_reach);
    const auto stop = std::min(line.find_first_of("\r\n\"\\=:"), line.size());
    if (stop < phrase_reach && !any_of(at(sep.value + stop), "=:"))
      end = sep.value + stop;
  }
  // `changed from x to y`
  if (const std::size_t second = skip_blanks(end) + 3;
      sep.kind == binding::word && in_.substr(skip_blanks(end), 3) == "to " &&
      looks_secret(in_.substr(second, plain_end(second) - second)))
    end = plain_end(second);
  while (name.ends_with("codes") && any_of(at(end), ",;")) {
    const std::size_t next = skip_blanks(end + 1);
    const std::size_t next_end = plain_end(next);
    if (!looks_secret(in_.substr(next, next_end - next)))
      break;
    end = next_end;
  }
  return cover(sep.value, end, mask);
}

/// `token %s hunter2abc`: the argument of a format string, joined to it.
bool text_pass::appended_argument(std::size_t begin) {
  std::size_t value = skip_blanks(begin);
  if (const std::size_t list = begin + quote_length(begin); list > begin && at(list) == ',') {
    // `log("token {}", "hunter2abc")`
    value = skip_blanks(list + 1);
    const std::size_t quote = quote_length(value);
    const std::size_t close = quote > 0 ? closing_quote(value) : npos;
    return close != npos && !is_placeholder(in_.substr(value + quote, close - value - quote)) &&
           cover(value + quote, close, mask);
  }
  const std::size_t end = plain_end(value);
  return skip_space(end) == in_.size() && looks_secret(in_.substr(value, end - value)) &&
         cover(value, end, mask);
}

/// A block of YAML: `password: |`, and the lines below that are indented.
bool text_pass::block_value(std::size_t sign) {
  if (at(sign) == '\n' || in_.substr(sign, 2) == "\r\n") {
    // `password:`, and the value alone on the next line.
    const std::size_t line = in_.find('\n', sign) + 1;
    const std::size_t value = skip_blanks(line);
    const std::size_t end = std::min(in_.find_first_of("\r\n", value), in_.size());
    return value > line && looks_opaque(in_.substr(value, end - value)) && cover(value, end, mask);
  }
  std::size_t begin = sign + 1;
  if (any_of(at(begin), "+-"))
    ++begin;
  if (!any_of(at(sign), "|>") || at(begin) != '\n')
    return false;
  const std::size_t indent = skip_blanks(begin + 1) - begin - 1;
  if (indent == 0)
    return false;
  std::size_t end = begin;
  while (at(end) == '\n' && skip_blanks(end + 1) >= end + 1 + indent)
    end = std::min(in_.find('\n', end + 1), in_.size());
  return cover(begin + 1 + indent, end, mask);
}

bool text_pass::is_masked_plain(const key_at& key, const separator& sep,
                                std::string_view value) const {
  if (!has_substance(value) || (sep.kind == binding::word && !has_digit(value)))
    return false;
  if (key.judged == key_class::vague)
    return (signed_to_key(sep.kind) || sep.kind == binding::flag) && looks_opaque(value);
  const std::string name = lowered(key.name);
  const bool number = all_digits(value);
  // A long run of characters is no word, whatever it begins with.
  if (signed_to_key(sep.kind) && value.size() > name_reach)
    return true;
  const bool counts = number && name.ends_with('s') && !name.ends_with("pass");
  // The user of a URL whose password has been masked.
  const bool masked_user = before(key.begin) == '/' && value.starts_with("[REDACTED]@");
  if (masked_user || counts || is_placeholder(value) || (name.ends_with("pwd") && is_path(value)))
    return false;
  const bool pin = name.ends_with("pin");
  switch (sep.kind) {
  case binding::none:
  case binding::argument:
    return false;
  case binding::flag:
    // `--secret dbPassword x`: the name of what is set.
    return !value.starts_with('-') && !value.starts_with('(') &&
           (name != "--secret" || has_digit(value) || classify_key(value) == key_class::plain);
  case binding::assign:
    if (sep.spaced && (is_call(value) || repeats_name(key.name, value)))
      return false;
    if (key.judged == key_class::strong)
      return true;
    if (key.judged == key_class::plural)
      return !number;
    // `const auth = createAuth`: code.
    if (sep.spaced && !name.ends_with("pass") && !name.ends_with("pw") && !looks_secret(value))
      return false;
    return !is_prose_word(value) && (!pin || has_digit(value)) &&
           !(name.ends_with("pass") && number && value.size() < 5);
  case binding::colon:
    if (is_call(value))
      return false;
    if (is_parser_talk(key))
      return looks_secret(value);
    if (key.judged == key_class::strong)
      return !is_prose_word(value);
    return looks_secret(value) || (pin && number && value.size() >= 4);
  case binding::word: {
    // `invalid token x for ann`: what stands there is no word of a grammar.
    constexpr std::size_t shortest_opaque = 10;
    if (is_parser_talk(key))
      return value.size() >= shortest_opaque && looks_opaque(value) &&
             std::any_of(value.begin(), value.end(), is_upper) &&
             std::any_of(value.begin(), value.end(), is_lower);
    if (key.judged == key_class::plural || is_call(value))
      return false;
    const bool short_code = pin || name.ends_with("otp") || name.ends_with("code") ||
                            name.ends_with("cvv") || name.ends_with("cvc") || name.ends_with("ssn");
    if (number)
      return short_code && value.size() >= 3 && value.size() <= 9;
    return looks_secret(value) && (value.size() >= 8 || is_password_key(key.name));
  }
  }
  return false;
}

} // namespace gasoline::redaction

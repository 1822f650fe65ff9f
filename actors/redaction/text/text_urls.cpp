#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/text/text_pass.hpp"

#include <algorithm>

namespace gasoline::redaction {
namespace {

/// Shorter names are of people.
constexpr std::size_t shortest_key = 16;

bool is_plain_key(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_word);
}

} // namespace

bool text_pass::url_password(std::size_t sign, std::size_t authority) {
  std::size_t scheme = sign;
  while (scheme > last_ && sign - scheme < name_reach &&
         (is_word(in_[scheme - 1]) || in_[scheme - 1] == '+'))
    --scheme;
  if (scheme == sign || authority < no_user_)
    return false;
  std::size_t end = authority;
  for (; end < in_.size(); ++end) {
    const char c = in_[end];
    if (is_space(c) || is_control(c) || any_of(c, "\"<>`"))
      break;
    const bool closing = c == '\'' && (end + 1 == in_.size() || !is_name_char(in_[end + 1]));
    if (closing || (c == '\\' && is_quote(at(end + 1))) || in_.substr(end, 3) == "://")
      break;
  }
  const auto name = lowered(in_.substr(scheme, sign - scheme));
  const bool web =
      name.ends_with("http") || name.ends_with("https") || name == "ws" || name == "wss";
  if (in_.substr(authority, end - authority).find('@') == npos) {
    no_user_ = end;
    return cut_password(authority, end);
  }
  const auto user_end = password_end(authority, end, web);
  if (!user_end)
    return false;
  const auto colon = in_.substr(authority, *user_end - authority).find(':');
  const auto user = in_.substr(authority, std::min(colon, *user_end - authority));
  // `https://token@host`: a key instead of a name.
  if (user.size() >= shortest_key && is_plain_key(user) && looks_secret(user))
    return cover(authority, *user_end, mask);
  if (colon == npos)
    return false;
  const std::size_t begin = authority + colon + 1;
  const auto password = in_.substr(begin, *user_end - begin);
  if (is_format_directive(password) || password.starts_with('{'))
    return formatted_password(begin, end);
  return !is_placeholder(password) && cover(begin, *user_end, mask);
}

/// `"postgres://%s:%s@db.test", "ann", "x"`: the argument that goes into the place of the password;
/// `url_end` is where the address ends.
bool text_pass::formatted_password(std::size_t directive, std::size_t url_end) {
  const auto line = in_.substr(0, directive).rfind('\n');
  const std::size_t begin = std::max(last_, line == npos ? 0 : line + 1);
  const auto count = [&](std::string_view text) {
    std::size_t n = 0;
    for (auto p = text.find_first_of("%{"); p != npos; p = text.find_first_of("%{", p + 1))
      n += (text[p] == '%' && p + 1 < text.size() && is_letter(text[p + 1])) ||
                   (text[p] == '{' && text.find('}', p) != npos)
               ? 1
               : 0;
    return n;
  };
  const std::size_t number = count(in_.substr(begin, directive - begin));
  std::size_t p = url_end;
  while (p < in_.size() && quote_length(p) == 0 && !is_space(in_[p]))
    ++p;
  rule_ = "url-password";
  if (const std::size_t quote = quote_length(p); quote > 0) {
    p += quote;
    for (const std::string_view list : {".format(", " % (", ", "})
      if (in_.substr(p, list.size()) == list) {
        p += list.size();
        for (std::size_t n = 0;; ++n) {
          p = skip_space(p);
          const std::size_t open = quote_length(p);
          const std::size_t close = open > 0 ? closing_quote(p) : npos;
          if (n == number)
            return close != npos && !is_placeholder(in_.substr(p + open, close - p - open)) &&
                   cover(p + open, close, mask);
          p = close != npos ? close + quote_length(close) : in_.find_first_of(",)\n", p);
          if (p == npos || at(p) != ',')
            return false;
          ++p;
        }
      }
    return false;
  }
  // The arguments follow the text, as a console joins them.
  const std::size_t all = number + count(in_.substr(directive, url_end - directive));
  std::size_t end = std::min(in_.find('\n', p), in_.size());
  for (std::size_t n = all; n > 0 && end > p; --n) {
    while (end > p && is_space(in_[end - 1]))
      --end;
    std::size_t word = end;
    while (word > p && !is_space(in_[word - 1]))
      --word;
    if (n == number + 1)
      return looks_secret(in_.substr(word, end - word)) && cover(word, end, mask);
    end = word;
  }
  return false;
}

/// A URL that was cut off inside its password: what follows the colon is no port.
bool text_pass::cut_password(std::size_t authority, std::size_t end) {
  const auto rest = in_.substr(authority, end - authority);
  if (!is_cut_authority(rest))
    return false;
  const auto colon = rest.find(':');
  std::size_t stop = rest.size();
  while (stop > colon + 1 && any_of(rest[stop - 1], ",;)]}."))
    --stop;
  const auto password = rest.substr(colon + 1, stop - colon - 1);
  return has_substance(password) && !is_placeholder(password) &&
         cover(authority + colon + 1, authority + stop, mask);
}

/// The `@` that ends user and password, which may themselves hold `@`, `:` and `/`.
std::optional<std::size_t> text_pass::password_end(std::size_t authority, std::size_t end,
                                                   bool web) const {
  const auto text = in_.substr(authority, end - authority);
  const auto names = web ? host_names::dotted : host_names::bare;
  const auto first_part = text.substr(0, text.find_first_of("/?#\\"));
  const auto last_host = [&](std::string_view part) -> std::optional<std::size_t> {
    for (auto p = part.rfind('@'); p != npos; p = p == 0 ? npos : part.rfind('@', p - 1))
      if (is_host(text.substr(p + 1), names))
        return p;
    return std::nullopt;
  };
  const auto absolute = [&](std::optional<std::size_t> p) {
    return p ? std::optional{authority + *p} : p;
  };
  const auto user_sign = first_part.rfind('@');
  if (user_sign == npos) {
    if (first_part.find(':') == npos)
      return std::nullopt;
    if (!is_host_and_port(first_part))
      return absolute(last_host(text));
    return web ? std::nullopt : absolute(last_host(text.substr(0, text.find('?'))));
  }
  if (first_part.find(':') == npos && web)
    return authority + user_sign;
  const bool sure = is_host(text.substr(user_sign + 1), names);
  if (sure && web)
    return authority + user_sign;
  const auto further = last_host(sure ? text.substr(0, text.find('?')) : text);
  return authority + std::max(user_sign, further.value_or(user_sign));
}

/// A URL inside a parameter: `postgres%3A%2F%2Fann%3Apw%40db.test`.
bool text_pass::encoded_url_password(std::size_t begin) {
  if (begin < no_encoded_user_)
    return false;
  std::size_t end = begin;
  while (end < in_.size() && end - begin < tag_reach && !is_space(in_[end]) &&
         !is_control(in_[end]) && !any_of(in_[end], "&\"'<>#"))
    ++end;
  const std::string text = lowered(in_.substr(begin, end - begin));
  const auto sign = text.substr(0, text.find("%2f")).rfind("%40");
  const auto colon = text.find("%3a");
  if (text.find("%40") == npos && end - begin == tag_reach)
    no_encoded_user_ = end - name_reach;
  if (sign == npos || colon == npos || colon + 3 >= sign)
    return false;
  return cover(begin + colon + 3, begin + sign, mask);
}

/// `root:secret@tcp(127.0.0.1:3306)/db`.
bool text_pass::driver_password(std::size_t sign) {
  std::size_t begin = sign;
  while (begin > last_ && sign - begin < tag_reach && !is_space(in_[begin - 1]) &&
         !is_quote(in_[begin - 1]) && in_[begin - 1] != '/' && in_[begin - 1] != '=')
    --begin;
  const auto colon = in_.substr(begin, sign - begin).find(':');
  return colon != npos && cover(begin + colon + 1, sign, mask);
}

bool text_pass::parameter_value(const key_at& key, std::size_t value) {
  std::size_t end = value;
  for (; end < in_.size(); ++end) {
    const char c = in_[end];
    if (is_space(c) || is_control(c) || any_of(c, "&#\"<>\\`;"))
      break;
    const auto code = in_.substr(end, 3);
    if (key.encoded && (code == "%26" || code == "%23"))
      break;
    if (code == "%22" || (key.encoded && in_.substr(end, 5) == "%2526"))
      break;
  }
  while (end > value && any_of(in_[end - 1], ")]}',"))
    --end;
  const auto text = in_.substr(value, end - value);
  if (is_mark(text) || text == "null" || text == "undefined" || text == "true" || text == "false")
    return false;
  if (key.judged == key_class::plural && all_digits(text))
    return false;
  if (key.judged == key_class::vague && !looks_opaque(text))
    return false;
  // `sort=name&key=asc`: a word.
  if (same_letters(key.name, "key") && text.size() < 12 &&
      std::all_of(text.begin(), text.end(), is_lower))
    return false;
  // An HTTP status is called `code` as well.
  if (same_letters(key.name, "code") && all_digits(text) && text.size() <= 3)
    return false;
  // `pass=12&fail=0`: a count.
  if (key.judged == key_class::weak && all_digits(text) && text.size() <= 2)
    return false;
  return cover(value, end, mask);
}

} // namespace gasoline::redaction

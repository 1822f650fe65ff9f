#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/words.hpp"
#include "actors/redaction/text/text_pass.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gasoline::redaction {
namespace {

/// What has become of a credential that is shown next: `created`, `for ann was issued`.
bool tells_of_making(std::string_view phrase) {
  static const word_list list{"created generated issued rotated received obtained found used "
                              "accepted rejected revoked"};
  constexpr std::ptrdiff_t most_blanks = 4;
  return std::count(phrase.begin(), phrase.end(), ' ') <= most_blanks &&
         list.has(phrase.substr(phrase.rfind(' ') + 1));
}

} // namespace

bool text_pass::keyed_value(std::size_t begin, std::size_t end) {
  if (end <= seen_key_)
    return false;
  const key_at key = key_around(begin, end);
  seen_key_ = key.end;
  constexpr std::string_view mark = "[REDACTED:";
  if (key.begin >= mark.size() && in_.substr(key.begin - mark.size(), mark.size()) == mark)
    return false;
  if (key.judged == key_class::plain)
    return false;
  if (opens_element(key.begin))
    return element_value(key);
  if (is_shortcut(key) || table_values(key) || html_table_values(key))
    return false;
  // A head of a table that is filled up with blanks, and no more.
  if (key.judged == key_class::weak && in_.substr(key.end, 2) == "  " &&
      !any_of(at(skip_blanks(key.end)), ":="))
    return false;
  if (neighbour_value(key) || replied_value(key) || typed_value(key) || fallback_value(key) ||
      path_value(key) || action_payload(key) || csv_value(key))
    return true;
  if (lowered(key.name).ends_with("codes") && code_list(key))
    return false;
  const separator sep = separator_after(key);
  if (sep.kind == binding::none)
    return (quote_length(behind_index(key.end)) > 0 && (form_part_value(key) || tag_value(key))) ||
           element_pair(key) || inserted_values(key) || copied_values(key);
  if (sep.kind == binding::colon && lowered(key.name).ends_with("key") && setup_key(sep.value))
    return true;
  if (key.parameter && sep.kind == binding::assign)
    return parameter_value(key, sep.value);
  return bound_value(key, sep) || announced_value(key);
}

/// `DB_PASSWORD,x`: a line of a table of names and values.
bool text_pass::csv_value(const key_at& key) {
  if (key.judged != key_class::strong || at(key.end) != ',' ||
      (key.begin > 0 && in_[key.begin - 1] != '\n'))
    return false;
  const std::size_t begin = key.end + 1;
  const std::size_t end = std::min(in_.find_first_of("\r\n", begin), in_.size());
  rule_ = "table";
  return looks_opaque(in_.substr(begin, end - begin)) && cover(begin, end, mask);
}

/// `Recovery codes: x y`, or one a line: two at least, all of the same length. They are masked when
/// the walk comes to them.
bool text_pass::code_list(const key_at& key) {
  constexpr std::size_t shortest = 6;
  constexpr std::size_t most_codes = 32;
  if (at(key.end) != ':' || key.judged != key_class::strong)
    return false;
  std::vector<std::pair<std::size_t, std::size_t>> codes;
  for (std::size_t p = key.end + 1; codes.size() < most_codes;) {
    while (p < in_.size() && (is_space(in_[p]) || any_of(in_[p], ",;*-")))
      ++p;
    // `1. x`, `2) x`
    if (const auto dot = in_.find_first_not_of("0123456789", p);
        dot != npos && dot > p && dot - p <= 2 && any_of(in_[dot], ".)"))
      p = skip_blanks(dot + 1);
    std::size_t end = p;
    while (is_alnum(at(end)) || (at(end) == '-' && is_alnum(at(end + 1))))
      ++end;
    const bool alike = codes.empty() || end - p == codes.front().second - codes.front().first;
    if (end - p < shortest || !alike || !has_digit(in_.substr(p, end - p)))
      break;
    codes.emplace_back(p, end);
    p = end;
  }
  if (codes.size() < 2)
    return false;
  for (const auto& [begin, end] : codes)
    plan(begin, end, "key");
  return true;
}

/// `<button accesskey="k">`: a key of the keyboard.
bool text_pass::is_shortcut(const key_at& key) const {
  if (lowered(key.name) != "accesskey")
    return false;
  const std::size_t reach = std::min(key.begin, tag_reach);
  const auto front = in_.substr(key.begin - reach, reach);
  const auto open = front.rfind('<');
  const auto value = in_.substr(key.end, 4);
  return (open != npos && front.find('>', open) == npos) ||
         (value.size() == 4 && value[0] == '=' && is_quote(value[1]) && value[3] == value[1]);
}

/// `/access_token/x/expires/3600`: name and value are neighbouring parts of a path.
bool text_pass::path_value(const key_at& key) {
  constexpr std::size_t shortest = 16;
  if (at(key.end) != '/' || !any_of(before(key.begin), "/#!") || key.judged == key_class::plural ||
      key.judged == key_class::vague)
    return false;
  const std::size_t begin = key.end + 1;
  std::size_t end = begin;
  while (end < in_.size() && (is_word(in_[end]) || any_of(in_[end], ".~=+:")))
    ++end;
  while (end > begin && any_of(in_[end - 1], ".:,"))
    --end;
  const auto part = in_.substr(begin, end - begin);
  const auto dot = part.rfind('.');
  const bool file = dot != npos && part.size() - dot <= 5;
  const bool id = part.size() == 36 && std::count(part.begin(), part.end(), '-') == 4;
  rule_ = "path";
  return part.size() >= shortest && !file && !id && looks_opaque(part) && cover(begin, end, mask);
}

/// `a password is generated for root@localhost: x`: a colon further on, and a secret at the end of
/// the line.
bool text_pass::announced_value(const key_at& key) {
  if (at(key.end) != ' ')
    return false;
  const auto line = in_.substr(key.end, name_reach);
  const auto colon = line.find(": ");
  // `API key created: x`
  if (!is_password_key(key.name) && (key.judged != key_class::strong || colon == npos ||
                                     !tells_of_making(line.substr(1, colon - 1))))
    return false;
  if (colon == npos || line.find_first_of("\n,;\"'=(){}[]") < colon ||
      at(key.end + colon + 2) == ' ')
    return false;
  const std::size_t value = skip_blanks(key.end + colon + 1);
  const std::size_t end = plain_end(value);
  const bool last = end == in_.size() || any_of(in_[end], "\r\n\"\\");
  return last && in_.substr(value, end - value).find_first_of("<>") == npos &&
         looks_secret(in_.substr(value, end - value)) && cover(value, end, mask);
}

/// The bytes of the character of a name that ends at `end`; letters of any script are such.
std::size_t text_pass::name_char_before(std::size_t end) const {
  if (is_name_char(in_[end - 1]))
    return 1;
  std::size_t begin = end - 1;
  while (begin > 0 && end - begin < 4 && (in_[begin] & '\xC0') == '\x80')
    --begin;
  const auto lead = static_cast<unsigned char>(in_[begin]);
  // U+2000 and U+3000 begin blocks of punctuation, U+FF00 one of full-width signs.
  const bool punctuation = lead == 0xE2 || lead == 0xEF || in_.substr(begin, 2) == "\xE3\x80";
  return lead < 0xC3 || punctuation ? 0 : end - begin;
}

text_pass::key_at text_pass::key_around(std::size_t begin, std::size_t end) const {
  key_at key;
  key.begin = begin;
  key.end = end;
  while (key.begin > last_ && end - key.begin < name_reach)
    if (const std::size_t length = name_char_before(key.begin); length > 0)
      key.begin -= std::min(length, key.begin - last_);
    else
      break;
  while (key.end < in_.size() && key.end - begin < name_reach && is_name_char(in_[key.end]))
    ++key.end;
  while (key.end > end && !is_alnum(in_[key.end - 1]))
    --key.end;
  if (before(key.begin) == '\\' && key.begin + 1 < end && any_of(in_[key.begin], "nrtbf"))
    ++key.begin;
  if (follows_ansi_code(key.begin))
    key.begin = std::min(end, in_.find('m', key.begin) + 1);
  // A property of a Java program: `-Dlogin.password=x`.
  if (in_.substr(key.begin, 2) == "-D" && key.begin + 2 < end)
    key.begin += 2;
  bool encoded = false;
  while (before(key.begin) == '%' || encoded) {
    const auto code = in_.substr(key.begin, 2);
    if (key.begin + 2 >= end || !is_hex(code[0]) || !is_hex(code[1]))
      break;
    key.begin += 2;
    key.encoded = code != "22" && code != "27";
    encoded = code == "25";
  }
  key.name = in_.substr(key.begin, key.end - key.begin);
  const char lead = before(key.begin);
  const bool first_of_form = opens_form(key);
  key.parameter = key.encoded || any_of(lead, "?&#") || first_of_form ||
                  (lead == ';' && key.begin > 4 && in_.substr(key.begin - 4, 4) == "amp;");
  key.judged = key.parameter ? classify_parameter(key.name) : classify_key(key.name);
  return key;
}

/// Whether the key begins a form: `code=x&grant_type=y`.
bool text_pass::opens_form(const key_at& key) const {
  if (at(key.end) != '=')
    return false;
  if (key.begin > 0 && !is_space(in_[key.begin - 1]) && !is_quote(in_[key.begin - 1]))
    return false;
  const auto rest = in_.substr(key.end, tag_reach);
  const auto second = rest.find('&');
  return second != npos && rest.find_first_of(" \t\r\n") > second &&
         pair_follows(in_.substr(key.end + second + 1, name_reach));
}

text_pass::separator text_pass::separator_after(const key_at& key) const {
  std::size_t p = key.end;
  const std::size_t quote = quote_length(p);
  p += quote;
  // `["token":protected]=>`
  for (const std::string_view access : {":protected]=>", ":private]=>"})
    if (quote > 0 && in_.substr(p, access.size()) == access)
      p += access.size() - 3;
  // `s:5:"token";s:3:"x"`: PHP's serialized values.
  if (quote > 0 && in_.substr(p, 3) == ";s:") {
    const auto length = in_.find_first_not_of("0123456789", p + 3);
    if (length != npos && at(length) == ':' && quote_length(length + 1) > 0)
      return {binding::assign, length + 1, false};
  }
  // `(token . "x")`
  if (quote == 0 && in_.substr(p, 4) == " . \"")
    return {binding::assign, p + 3, true};
  for (const std::string_view closer : {"]", "%5D", "%5d"})
    if (quote == 0 && in_.substr(p, closer.size()) == closer)
      p += closer.size();
  if (quote == 0)
    p = behind_index(p);
  // `| **API key** | x |`
  if (before(key.begin) == '*' && in_.substr(p, 2) == "**")
    p += 2;
  // `storage["token"] = "x"`.
  if (const std::size_t bracket = quote > 0 && at(p) == ']' ? skip_blanks(p + 1) : npos;
      in_.substr(std::min(bracket, in_.size()), 2) == "=>") {
    // `["token"]=>`, and below it `string(8) "x"`, as PHP dumps an array.
    const std::size_t value = skip_space(bracket + 2);
    constexpr std::string_view type = "string(";
    const auto quoted = in_.substr(value, name_reach).find(") ");
    if (in_.substr(value, type.size()) == type && quoted != npos)
      return {binding::assign, value + quoted + 2, false};
    return {binding::assign, value, false};
  } else if (at(bracket) == '=' && at(bracket + 1) != '=') {
    const std::size_t value = skip_blanks(bracket + 1);
    return {quote_length(value) > 0 ? binding::assign : binding::word, value, true};
  }
  // `Unseal Key 1: x`.
  if (quote == 0 && at(p) == ' ' && is_digit(at(p + 1)) &&
      (at(p + 2) == ':' || (is_digit(at(p + 2)) && at(p + 3) == ':')))
    p = in_.find(':', p);
  const std::size_t sign = quote > 0 ? skip_space(p) : skip_blanks(p);
  // `${DB_PASSWORD:?must be set}`.
  if (at(sign) == ':' && any_of(at(sign + 1), "?+") && before(key.begin) == '{')
    return {};
  struct spelling {
    std::string_view text;
    binding kind;
  };
  static constexpr auto spellings = std::to_array<spelling>({{"===", binding::assign},
                                                             {"==", binding::assign},
                                                             {"=>", binding::assign},
                                                             {"=", binding::assign},
                                                             {":=", binding::assign},
                                                             {"->", binding::assign},
                                                             {"%3D", binding::assign},
                                                             {"%3d", binding::assign},
                                                             {"%253D", binding::assign},
                                                             {"%253d", binding::assign},
                                                             {"%253A", binding::colon},
                                                             {"%253a", binding::colon},
                                                             {"：", binding::colon},
                                                             {"→", binding::colon},
                                                             {"::", binding::none},
                                                             {":", binding::colon},
                                                             {"%3A", binding::colon},
                                                             {"%3a", binding::colon}});
  for (const auto& s : spellings) {
    if (s.text[0] != at(sign) || in_.substr(sign, s.text.size()) != s.text)
      continue;
    std::size_t behind = sign + s.text.size();
    while (s.text[0] == '%' && in_.substr(behind, 3) == "%20")
      behind += 3;
    // `password: !!str x`: the type of a value of YAML.
    if (const std::size_t tag = skip_blanks(behind); in_.substr(tag, 2) == "!!")
      behind = std::min(in_.find_first_of(" \n", tag), in_.size());
    const auto kind = quote > 0 && s.kind == binding::colon ? binding::assign : s.kind;
    return {kind, quote > 0 ? skip_space(behind) : skip_blanks(behind), sign > p};
  }
  // `setItem("token", "x")`, `setToken("x")`.
  if (at(sign) == (quote > 0 ? ',' : '(') && quote_length(skip_blanks(sign + 1)) > 0)
    return {quote > 0 && is_stored(key) ? binding::assign : binding::argument,
            skip_blanks(sign + 1), false};
  if (quote > 0 || sign == p)
    return {};
  if (key.name.starts_with('-'))
    return {binding::flag, sign, true};
  // `password from "x" to "y"`
  if (in_.substr(sign, 5) == "from " && quote_length(sign + 5) > 0)
    return {binding::argument, sign + 5, true};
  // `password for ann set to x`
  std::size_t told = sign;
  if (const auto blank = in_.find(' ', sign + 4);
      in_.substr(sign, 4) == "for " && blank != npos && blank - sign < name_reach)
    told = blank + 1;
  for (const std::string_view link : {"is ",
                                      "was ",
                                      "is: ",
                                      "to ",
                                      "has been set to ",
                                      "set to ",
                                      "was set to ",
                                      "was changed to ",
                                      "changed to ",
                                      "is now ",
                                      "changed from ",
                                      "est ",
                                      "es ",
                                      "ist ",
                                      "lautet ",
                                      "lautet: ",
                                      "è ",
                                      "é ",
                                      "– ",
                                      "— ",
                                      "| "})
    if (in_.substr(told, link.size()) == link)
      return {binding::word, skip_blanks(told + link.size()), true};
  return {binding::word, sign, true};
}

/// Behind what says which of several values it is, when a form's `=` follows: `[]`, `%5B0%5D`.
std::size_t text_pass::behind_index(std::size_t pos) const {
  std::size_t p = pos;
  for (std::size_t n = 0; n < 3; ++n) {
    const bool plain = at(p) == '[';
    if (!plain && lowered(in_.substr(p, 3)) != "%5b")
      break;
    std::size_t end = p + (plain ? 1 : 3);
    while (is_word(at(end)))
      ++end;
    if (plain ? at(end) != ']' : lowered(in_.substr(end, 3)) != "%5d")
      return pos;
    p = end + (plain ? 1 : 3);
  }
  const bool sign = (at(p) == '=' && at(p + 1) != '=' && !is_space(at(p + 1))) ||
                    lowered(in_.substr(p, 3)) == "%3d" || quote_length(p) > 0;
  return sign ? p : pos;
}

/// Whether the key is the first argument of a call that stores: `setItem("token", "x")`.
bool text_pass::is_stored(const key_at& key) const {
  std::size_t p = key.begin;
  while (p > 0 && (is_quote(in_[p - 1]) || in_[p - 1] == '\\' || in_[p - 1] == ' '))
    --p;
  if (before(p) != '(')
    return false;
  const std::size_t end = p - 1;
  std::size_t begin = end;
  while (begin > 0 && end - begin < name_reach && is_letter(in_[begin - 1]))
    --begin;
  const auto name = lowered(in_.substr(begin, end - begin));
  for (const std::string_view ending : {"set", "item", "header", "append", "put", "add", "store",
                                        "save", "write", "define", "cookie"})
    if (name.ends_with(ending))
      return true;
  return false;
}

/// `Unexpected token: x`: parsers name tokens of their own.
bool text_pass::is_parser_talk(const key_at& key) const {
  if (!is_token_key(key.name))
    return false;
  std::size_t end = key.begin;
  while (end > 0 && (is_space(in_[end - 1]) || is_quote(in_[end - 1])))
    --end;
  std::size_t begin = end;
  while (begin > 0 && end - begin < name_reach && is_letter(in_[begin - 1]))
    --begin;
  const auto word = lowered(in_.substr(begin, end - begin));
  return word == "unexpected" || word == "invalid" || word == "illegal" || word == "unknown" ||
         word == "expected" || word == "unterminated" || word == "unrecognized" || word == "syntax";
}

} // namespace gasoline::redaction

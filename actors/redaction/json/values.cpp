#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/rules.hpp"
#include "actors/redaction/rules/words.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace gasoline::redaction {
namespace {

constexpr std::size_t longest_algorithm = 24;

bool only(std::string_view text, std::string_view any_of) {
  return text.find_first_not_of(any_of) == std::string_view::npos;
}

bool is_environment_reference(std::string_view value) {
  for (const std::string_view lead : {"ENV[", "ENV.fetch", "$_ENV[", "$ENV{", "Deno.env", "@env"})
    if (value.starts_with(lead))
      return true;
  if (value.starts_with("${") || value.starts_with("process.env.") ||
      value.starts_with("os.environ") || value.starts_with("import.meta.env"))
    return true;
  if (!value.starts_with('$') || value.size() < 2)
    return false;
  return std::all_of(value.begin() + 1, value.end(),
                     [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
}

bool is_bracketed(std::string_view value, std::string_view open, std::string_view close) {
  return value.size() > open.size() + close.size() && value.starts_with(open) &&
         value.ends_with(close);
}

/// `<your password>`: letters alone, or no blank.
bool is_blank_to_fill_in(std::string_view value) {
  return is_bracketed(value, "<", ">") &&
         (value.find(' ') == npos || std::all_of(value.begin() + 1, value.end() - 1, [](char c) {
            return is_any_letter(c) || c == ' ' || c == '-' || c == '_';
          }));
}

/// `YOUR_API_KEY`, `your-token-here`.
bool is_yours(std::string_view value) {
  const auto low = lowered(value.substr(0, 5));
  return (low == "your_" || low == "your-") && value.size() > 5 &&
         std::all_of(value.begin(), value.end(),
                     [](char c) { return is_any_letter(c) || c == '_' || c == '-'; });
}

/// `{}`, `{0}`, `{password}`: what a format string inserts.
bool is_insertion(std::string_view value) {
  return value.starts_with('{') && value.ends_with('}') &&
         (value.size() <= 4 || std::all_of(value.begin() + 1, value.end() - 1, [](char c) {
            return is_letter(c) || c == '_' || c == '.';
          }));
}

/// What a console prints in place of an object: `[object Object]`, `[Function: getToken]`.
bool is_object_name(std::string_view value) {
  if (!value.starts_with('['))
    return false;
  for (const std::string_view begin : {"[object", "[Object", "[Function", "[AsyncFunction",
                                       "[class", "[Getter", "[Setter", "[Symbol", "[Circular"})
    if (value.starts_with(begin))
      return true;
  return false;
}

/// `(none)`, `(not set)`: a remark.
bool is_remark(std::string_view value) {
  return value.starts_with('(') && value.size() > 2 &&
         std::all_of(value.begin() + 1, value.end() - 1, is_any_letter);
}

/// A variable that is called as a key is: `$password`.
bool is_key_variable(std::string_view value) {
  return value.size() > 1 && value.front() == '$' &&
         std::all_of(value.begin() + 1, value.end(),
                     [](char c) { return is_letter(c) || c == '_'; }) &&
         classify_key(value.substr(1)) != key_class::plain;
}

/// A part of an object that programs call so: `req.body.password`.
bool is_member_expression(std::string_view value) {
  static const word_list roots{"req request e event this self props params args config data form "
                               "options opts ctx context user input state body settings env"};
  return roots.has(value.substr(0, value.find('.'))) && value.find('.') != npos &&
         value.find_first_of("0123456789") == npos;
}

/// The beginning of an expression that a quote cuts off: `config["ApiKey`, `DigestAuth("ann`.
bool is_cut_expression(std::string_view value) {
  const auto open = value.find_last_of("[(");
  return open != npos && open > 0 && open + 1 < value.size() && is_quote(value[open + 1]) &&
         std::all_of(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(open),
                     [](char c) { return is_name_char(c) || any_of(c, "$:(["); });
}

/// A tag of YAML that says where the value is: `!Ref`, `!secret`.
bool is_reference_tag(std::string_view value) {
  static const word_list list{"!ref !sub !getatt !secret !join !env !env_var !vault !importvalue "
                              "!findinmap !select !split !reference"};
  return list.has(lowered(value));
}

/// What a table says of a password instead of showing it.
bool is_column_remark(std::string_view value) {
  static const word_list list{"text password varchar(255) string( input field n/a none yes no hash "
                              "hashed login secret token masked default plain weak strong expired "
                              "email username"};
  return list.has(lowered(value));
}

/// The name of a type without what says how many and whether: `[String!]!`.
std::string_view bare_type(std::string_view value) {
  const auto begin = value.find_first_not_of("[&");
  const auto end = value.find_last_not_of("!]?):;,");
  if (begin > end || end == npos)
    return value;
  value = value.substr(begin, end + 1 - begin);
  const auto parameter = value.find_first_of("[<");
  return parameter > 0 ? value.substr(0, parameter) : value;
}

/// `sha256`, `v2.1`, `120ms`, `2026-01-28T…`, `app.js:120`: letters and digits, yet no secret.
bool is_technical_word(std::string_view value) {
  const auto first_digit =
      static_cast<std::size_t>(std::find_if(value.begin(), value.end(), is_digit) - value.begin());
  // A long run that goes on with letters, such as a token that begins with `RS2Eue`, is no
  // algorithm.
  const auto behind_number = value.find_first_not_of("0123456789", first_digit);
  const bool goes_on = behind_number != npos && is_letter(value[behind_number]);
  if (algorithm_letters().has(lowered(value.substr(0, first_digit))) &&
      !(goes_on && value.size() > longest_algorithm))
    return true;
  const std::string_view rest = value.starts_with('v') ? value.substr(1) : value;
  const std::size_t number = rest.find_first_not_of("0123456789");
  if (number > 0 && number != std::string_view::npos) {
    const bool version =
        rest[number] == '.' && number + 1 < rest.size() && is_digit(rest[number + 1]);
    const bool date = number == 4 && rest[number] == '-';
    const bool unit = rest.size() - number <= 3;
    if (version || date || unit)
      return true;
  }
  if (value.starts_with('/') || value.starts_with("./") || value.starts_with("http") ||
      value.find("://") != std::string_view::npos)
    return true;
  for (const std::string_view extension : {".js", ".ts", ".tsx", ".jsx", ".css", ".html", ".py",
                                           ".go", ".json", ".png", ".svg", ".vue"})
    if (const auto at = value.find(extension); at != std::string_view::npos) {
      const auto end = at + extension.size();
      if (end == value.size() || value[end] == ':' || value[end] == '?')
        return true;
    }
  return false;
}

} // namespace

bool is_mark(std::string_view text) {
  constexpr std::string_view begin = "[REDACTED";
  if (!text.starts_with(begin))
    return false;
  text.remove_prefix(begin.size());
  if (text.ends_with(']'))
    text.remove_suffix(1);
  return text.empty() || (text.front() == ':' && text.size() <= 50 &&
                          std::all_of(text.begin() + 1, text.end(), [](char c) {
                            return is_any_letter(c) || is_digit(c) || c == '-';
                          }));
}

bool is_masked_by_others(std::string_view value) {
  static const word_list words{
      "[filtered] [redacted] [masked] [hidden] [removed] [scrubbed] "
      "[sanitized] [protected] <filtered> <redacted> <masked> <hidden> "
      "<removed> (hidden) (masked) (redacted) ***masked*** ***redacted***"};
  return only(value, "*") || only(value, "\xE2\x80\xA2") ||
         (value.size() >= 3 && (only(value, "x") || only(value, "X"))) || words.has(lowered(value));
}

bool is_reference(std::string_view value) {
  return is_bracketed(value, "${", "}") || is_bracketed(value, "{{", "}}") ||
         is_bracketed(value, "<%", "%>") || is_blank_to_fill_in(value);
}

bool is_placeholder(std::string_view value) {
  if (value.empty() || is_mark(value) || is_masked_by_others(value) || only(value, "."))
    return true;
  if (is_format_directive(value))
    return true;
  if (is_environment_reference(value) || is_reference(value) || is_insertion(value) ||
      is_yours(value))
    return true;
  if (is_member_expression(value) || is_object_name(value) || is_remark(value) ||
      is_key_variable(value) || is_cut_expression(value) || is_reference_tag(value))
    return true;
  return literal_words().has(lowered(bare_type(value)));
}

bool is_prose_word(std::string_view value) {
  while (!value.empty() && std::string_view{".,;:!?)"}.find(value.back()) != std::string_view::npos)
    value.remove_suffix(1);
  return value.empty() || prose_words().has(lowered(value));
}

bool is_scheme_placeholder(std::string_view value) {
  const auto space = value.find(' ');
  if (space == npos || !is_auth_scheme(value.substr(0, space)))
    return false;
  const auto rest = value.find_first_not_of(' ', space);
  return rest == npos || is_placeholder(value.substr(rest));
}

bool is_complaint(std::string_view value) {
  const auto space = value.find(' ');
  if (space == std::string_view::npos || !complaint_words().has(lowered(value.substr(0, space))))
    return false;
  std::size_t digits = 0;
  for (const char c : value) {
    digits = is_digit(c) ? digits + 1 : 0;
    const bool wordy = is_any_letter(c) || is_digit(c) ||
                       std::string_view{" .,'()-"}.find(c) != std::string_view::npos;
    if (!wordy || digits > 2)
      return false;
  }
  return true;
}

bool looks_secret(std::string_view value) {
  if (value.starts_with('(') && value.ends_with(')'))
    value = value.substr(1, value.size() - 2); // `TestPassword (0.00s)`
  if (value.size() < 6)
    return false;
  const bool digit = std::any_of(value.begin(), value.end(), is_digit);
  const bool letter = std::any_of(value.begin(), value.end(), is_any_letter);
  return digit && letter && !is_technical_word(value);
}

bool looks_opaque(std::string_view value) {
  if (!looks_secret(value) || value.find_first_of(" \t\n,;(){}<>\"'") != npos)
    return false;
  // `color-bg-500`, `api.v2.users`: words and short numbers.
  bool signs = false;
  bool mixed = false;
  for (std::size_t begin = 0; begin <= value.size();) {
    const auto end = std::min(value.find_first_of("-._/:", begin), value.size());
    const auto piece = value.substr(begin, end - begin);
    signs = signs || end < value.size();
    const bool word = std::all_of(piece.begin(), piece.end(), is_lower) ||
                      std::all_of(piece.begin(), piece.end(), is_upper);
    const bool number = piece.size() <= 4 && std::all_of(piece.begin(), piece.end(), is_digit);
    const bool version = piece.size() <= 4 && piece.starts_with('v');
    mixed = mixed || !(word || number || version);
    begin = end + 1;
  }
  return !signs || mixed;
}

bool is_secret_cell(std::string_view name, key_class judged, std::string_view value) {
  if (judged == key_class::plain || value.size() < 3 || is_placeholder(value) ||
      is_prose_word(value) || is_complaint(value) || !has_substance(value))
    return false;
  const bool number = all_digits(value);
  if (is_password_key(name))
    return value.find(' ') == npos && (!number || value.size() >= 4) && !is_column_remark(value);
  if (judged == key_class::plural)
    return looks_opaque(value);
  if (number)
    return value.size() >= (judged == key_class::strong ? std::size_t{3} : std::size_t{4}) &&
           lowered(name).find("token") == npos;
  return looks_opaque(value) || (judged == key_class::strong && value.size() >= 20 &&
                                 value.find(' ') == npos && longest_segment(value) >= 20);
}

bool is_algorithm(std::string_view value) {
  const auto first = static_cast<std::size_t>(
      std::find_if_not(value.begin(), value.end(), is_letter) - value.begin());
  if (first == value.size())
    return algorithm_letters().has(lowered(value));
  return first > 0 && value.size() <= longest_algorithm &&
         algorithm_letters().has(lowered(value.substr(0, first)));
}

bool is_format_directive(std::string_view value) {
  return value.size() == 2 && value.front() == '%' && is_letter(value.back());
}

bool is_auth_scheme(std::string_view word) {
  return schemes().has(lowered(word));
}

bool is_parameter_scheme(std::string_view word) {
  return parameter_schemes().has(lowered(word));
}

bool is_basic_credential(std::string_view base64) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::uint32_t bits = 0;
  std::size_t held = 0;
  bool colon = false;
  for (const char c : base64) {
    const auto value = alphabet.find(c == '-' ? '+' : c == '_' ? '/' : c);
    if (value == std::string_view::npos)
      break;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8)
      continue;
    held -= 8;
    const auto byte = static_cast<unsigned char>((bits >> held) & 0xFFU);
    if (byte < 0x20 || (!colon && byte > 0x7E))
      return false;
    colon = colon || byte == ':';
  }
  return colon;
}

} // namespace gasoline::redaction

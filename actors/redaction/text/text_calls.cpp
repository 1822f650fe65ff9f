#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/words.hpp"
#include "actors/redaction/text/text_pass.hpp"

#include <algorithm>
#include <string>

namespace gasoline::redaction {
namespace {

/// How far a call is followed.
constexpr std::size_t call_reach = 512;
constexpr std::size_t most_call_arguments = 6;

/// Functions that read a variable and take what holds when it is not set.
bool reads_setting(std::string_view name) {
  for (const std::string_view ending :
       {"env", "get", "fetch", "getordefault", "getproperty", "envor", "envordefault", "orelse",
        "lookupenv", "env_or", "env_or_default", "config", "getstring", "env_var", "option",
        "get_or", "getenvor", "setting", "variable"})
    if (name.ends_with(ending))
      return true;
  return false;
}

/// Methods of an optional value that name what holds without it.
bool gives_default(std::string_view name) {
  static const word_list list{"unwrap_or unwrap_or_else orelse orelseget getorelse default "
                              "defaultvalue withdefault or_else fromjust value_or valueor"};
  return list.has(name);
}

/// Words that stand where a key may: encodings, modes, formats.
bool is_cipher_word(std::string_view value) {
  static const word_list list{"utf8 utf-8 utf16 hex base64 base64url ascii latin1 binary raw jwk "
                              "pem der spki pkcs8 pkcs1 cbc ecb gcm ctr buffer string json bf md5 "
                              "default auto key node browser"};
  return list.has(lowered(value));
}

/// `SCREAMING_CASE`, as variables of the environment are called.
bool is_variable_name(std::string_view name) {
  return name.size() > 2 && std::all_of(name.begin(), name.end(), [](char c) {
           return is_upper(c) || is_digit(c) || c == '_';
         });
}

/// Whether the value only says the name again: `t("PASSWORD", "Password")`.
bool is_label_of(std::string_view name, std::string_view value) {
  std::string letters;
  for (const char c : lowered(value))
    if (is_alnum(c))
      letters += c;
  std::string of_name;
  for (const char c : lowered(name))
    if (is_alnum(c))
      of_name += c;
  return !letters.empty() && of_name.find(letters) != npos && !has_digit(value);
}

/// A literal that may be the key of a cipher or a signature.
bool is_key_literal(std::string_view value, bool sure) {
  if (value.size() < 3 || is_placeholder(value) || is_cipher_word(value) || is_algorithm(value) ||
      is_path(value) || value.find("://") != npos)
    return false;
  for (const std::string_view file : {".pem", ".key", ".crt", ".json", ".der", ".pub", ".txt"})
    if (value.ends_with(file))
      return false;
  if (value.find(' ') != npos)
    return sure && has_digit(value) && value.size() >= 8;
  return sure ? !is_prose_word(value) : looks_secret(value);
}

} // namespace

/// The literal at `pos`, behind what marks its kind: `b'x'`, `N'x'`, `[]byte("x")`,
/// `Buffer.from("x")`; the offset of its opening quote, or `npos`.
std::size_t text_pass::literal_quote(std::size_t pos) const {
  if (quote_length(pos) > 0)
    return pos;
  if (any_of(at(pos), "bBrRuUfFnNlL@$") && quote_length(pos + 1) > 0 && !is_word(before(pos)))
    return pos + 1;
  static constexpr std::string_view wrappers[] = {"[]byte(",
                                                  "Buffer.from(",
                                                  "new TextEncoder().encode(",
                                                  "Encoding.UTF8.GetBytes(",
                                                  "SecretStr(",
                                                  "SecureString(",
                                                  "String(",
                                                  "Secret::new(",
                                                  "new String(",
                                                  "String::from(",
                                                  "Encoding.ASCII.GetBytes(",
                                                  "bytes(",
                                                  "str(",
                                                  "Some(",
                                                  "optional(",
                                                  "Optional(",
                                                  "std::string("};
  for (const auto wrapper : wrappers)
    if (in_.substr(pos, wrapper.size()) == wrapper)
      return quote_length(pos + wrapper.size()) > 0 ? pos + wrapper.size() : npos;
  return npos;
}

/// `process.env.DB_PASS || 'x'`, `os.environ.get("API_TOKEN", "x")`,
/// `env::var("KEY").unwrap_or("x")`: what holds when the variable is not set.
bool text_pass::fallback_value(const key_at& key) {
  std::size_t p = key.end;
  std::size_t closers = 0;
  for (std::size_t n = 0; n < 6; ++n) {
    if (const std::size_t quote = quote_length(p); quote > 0)
      p += quote;
    else if (any_of(at(p), "])}!"))
      ++p;
    else
      break;
    ++closers;
  }
  const bool quoted = quote_length(key.end) > 0;
  if (quoted && at(p) == ',' && closers == 1)
    return default_argument(key, p + 1);
  std::size_t value = npos;
  if (at(p) == '.' && closers > 0) {
    std::size_t end = p + 1;
    while (is_letter(at(end)) || at(end) == '_')
      ++end;
    if (at(end) != '(' || !gives_default(lowered(in_.substr(p + 1, end - p - 1))))
      return false;
    ++end;
    for (const std::string_view lead : {"|_| ", "() -> ", "|| ", "() => ", "|_|"})
      if (in_.substr(end, lead.size()) == lead)
        end += lead.size();
    value = literal_quote(end);
  } else {
    const std::size_t sign = skip_blanks(p);
    for (const std::string_view operation :
         {"||=", "||", "?\?=", "??", "?:", "//=", "// ", "or ", "|| =", "{ ", ": "}) {
      if (in_.substr(sign, operation.size()) != operation)
        continue;
      const bool needs_call = operation == ": " || operation == "{ ";
      if ((operation == "// " && before(key.begin) != '{') || (operation == "or " && sign == p) ||
          (needs_call && (closers == 0 || sign == p)) || (operation == ": " && before(p) != ')'))
        continue;
      value = literal_quote(skip_space(sign + operation.size()));
      break;
    }
  }
  if (value == npos)
    return false;
  const std::size_t begin = value + quote_length(value);
  const std::size_t end = closing_quote(value);
  if (end == npos || end - begin > call_reach)
    return false;
  const auto text = in_.substr(begin, end - begin);
  if (text.empty() || is_placeholder(text) || is_complaint(text) || is_prose_word(text) ||
      (text.find(' ') != npos && !is_password_key(key.name)) || is_label_of(key.name, text) ||
      (!has_digit(text) && classify_key(text) != key_class::plain))
    return false;
  rule_ = "fallback";
  return (key.judged != key_class::vague || looks_secret(text)) && cover(begin, end, mask);
}

/// `add_argument("--password", default="x")`, `get("db", "password", fallback="x")`: whatever the
/// name is spelled like, the argument is called a default.
bool text_pass::named_default(const key_at& key, std::size_t literal) {
  const std::size_t value = literal_quote(literal);
  const std::size_t close = value == npos ? npos : closing_quote(value);
  if (close == npos || key.judged == key_class::vague)
    return false;
  const std::size_t begin = value + quote_length(value);
  const auto text = in_.substr(begin, close - begin);
  rule_ = "fallback";
  return is_secret_cell(key.name, key.judged, text) &&
         (has_digit(text) || is_password_key(key.name)) && cover(begin, close, mask);
}

/// `getenv("DB_PASSWORD", "x")`.
bool text_pass::default_argument(const key_at& key, std::size_t argument) {
  std::size_t literal = skip_space(argument);
  for (const std::string_view name :
       {"default=", "default: ", "default_value=", "fallback=", "default = "})
    if (in_.substr(literal, name.size()) == name) {
      literal += name.size();
      if (named_default(key, literal))
        return true;
    }
  std::size_t p = key.begin;
  while (p > 0 && (is_quote(in_[p - 1]) || in_[p - 1] == '\\' || in_[p - 1] == ' '))
    --p;
  if (before(p) != '(')
    return false;
  const std::size_t end = p - 1;
  std::size_t begin = end;
  while (begin > 0 && end - begin < name_reach && is_name_char(in_[begin - 1]))
    --begin;
  const std::size_t value = literal_quote(literal);
  if (!reads_setting(lowered(in_.substr(begin, end - begin))) || value == npos ||
      !is_variable_name(key.name))
    return false;
  const std::size_t inside = value + quote_length(value);
  const std::size_t close = closing_quote(value);
  if (close == npos)
    return false;
  const auto text = in_.substr(inside, close - inside);
  if (text.empty() || text.find(' ') != npos || is_placeholder(text) || is_prose_word(text) ||
      is_label_of(key.name, text) || (key.judged == key_class::vague && !looks_secret(text)))
    return false;
  rule_ = "fallback";
  return cover(inside, close, mask);
}

/// `jwt.sign(claims, 'x')`, `createHmac('sha256', 'x')`, `btoa('ann:x')`: calls that take a key, a
/// password, or both parts of basic authentication.
bool text_pass::secret_argument(const trigger_effect& t, std::size_t open) {
  const auto& call = secret_calls()[t.shape];
  const std::size_t begin = open - std::min(open, call.name.size());
  if (lowered(in_.substr(begin, open - begin)) != call.name)
    return false;
  const bool member = call.name.front() == '.';
  if (begin > 0 && !member && (is_word(in_[begin - 1]) || in_[begin - 1] == '$'))
    return false;
  struct argument {
    std::size_t begin = 0;
    std::size_t end = 0; ///< the same when it holds no literal
  };
  std::vector<argument> arguments;
  std::size_t depth = 0;
  bool literal = false;
  argument found;
  argument joined; ///< the password of basic authentication that is put together
  const std::size_t stop = std::min(in_.size(), open + call_reach);
  std::size_t p = open;
  for (; p < stop; ++p) {
    if (const std::size_t quote = quote_length(p); quote > 0) {
      const std::size_t close = closing_quote(p);
      if (close == npos || close > stop)
        break;
      // `"ann" + ":" + "x"`, `"ann:" + "x"`
      if (literal && call.part == secret_call::what::after_colon && found.end > found.begin &&
          in_[found.end - 1] == ':')
        joined = {p + quote, close};
      if (!literal || call.part == secret_call::what::after_colon)
        found = {p + quote, close};
      literal = true;
      p = close + quote_length(close) - 1;
      continue;
    }
    if (any_of(in_[p], "([{")) {
      ++depth;
      continue;
    }
    const bool ends = depth == 0 && any_of(in_[p], ",)");
    if (any_of(in_[p], ")]}") && depth > 0)
      --depth;
    if (!ends)
      continue;
    arguments.push_back(literal ? found : argument{});
    literal = false;
    if (in_[p] == ')' || arguments.size() == most_call_arguments)
      break;
  }
  if (joined.end > joined.begin) {
    const auto value = in_.substr(joined.begin, joined.end - joined.begin);
    rule_ = "basic-auth-call";
    return !is_placeholder(value) && cover(joined.begin, joined.end, mask);
  }
  const auto take = [&](std::size_t number) {
    if (number >= arguments.size() || arguments[number].end == 0)
      return false;
    auto [from, to] = arguments[number];
    auto value = in_.substr(from, to - from);
    if (call.part == secret_call::what::after_colon) {
      const auto colon = value.find(':');
      if (colon == npos || colon == 0 || value.find(' ') != npos || value.find("//") != npos ||
          any_of(value.front(), "{[<"))
        return false;
      from += colon + 1;
      value.remove_prefix(colon + 1);
      rule_ = "basic-auth-call";
      return !value.empty() && !is_placeholder(value) && value.find('{') == npos &&
             cover(from, to, mask);
    }
    if (call.part == secret_call::what::password) {
      rule_ = "login-call";
      return !value.empty() && !is_placeholder(value) && value.find(' ') == npos &&
             cover(from, to, mask);
    }
    rule_ = "key-argument";
    return is_key_literal(value, call.part == secret_call::what::sure_key) && cover(from, to, mask);
  };
  for (std::size_t number = call.first; number <= call.last; ++number)
    if (take(number - 1))
      return true;
  return arguments.size() == 1 && call.alone && take(0);
}

} // namespace gasoline::redaction

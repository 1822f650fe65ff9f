#include "messages/base/json/json_numbers.hpp"

#include "messages/base/json/json_member.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace gasoline {
namespace {

bool is_number_char(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

bool is_number(std::string_view token) {
  std::size_t i = token.front() == '-' ? 1 : 0;
  const auto digits = [&] {
    const auto start = i;
    while (i < token.size() && token[i] >= '0' && token[i] <= '9')
      ++i;
    return i > start;
  };
  const bool leading_zero =
      i + 1 < token.size() && token[i] == '0' && token[i + 1] >= '0' && token[i + 1] <= '9';
  if (leading_zero || !digits())
    return false;
  if (i < token.size() && token[i] == '.') {
    ++i;
    if (!digits())
      return false;
  }
  if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
    ++i;
    if (i < token.size() && (token[i] == '-' || token[i] == '+'))
      ++i;
    if (!digits())
      return false;
  }
  return i == token.size();
}

bool fits(std::string_view token) {
  const auto* end = token.data() + token.size();
  if (token.find_first_of(".eE") == std::string_view::npos) {
    std::int64_t i = 0;
    std::uint64_t u = 0;
    return std::from_chars(token.data(), end, i).ec == std::errc{} ||
           (token.front() != '-' && std::from_chars(token.data(), end, u).ec == std::errc{});
  }
  double d = 0;
  return std::from_chars(token.data(), end, d).ec == std::errc{};
}

/// Parsers take it for an integer, which has no sign at zero.
constexpr std::string_view negative_zero = "-0";

/// Whether a parser would keep the number as it is. Most numbers are short and plain.
bool is_kept(std::string_view token) {
  constexpr std::size_t always_fits = 15;
  if (token.size() <= always_fits && token.find_first_of("eE") == std::string_view::npos)
    return token != negative_zero;
  return !is_number(token) || fits(token);
}

} // namespace

std::string_view number_token(std::string_view text, std::size_t i) {
  auto end = i;
  while (end < text.size() && is_number_char(text[end]))
    ++end;
  return text.substr(i, end - i);
}

bool starts_number(char c) {
  return c == '-' || (c >= '0' && c <= '9');
}

void append_exact_number(std::string& out, std::string_view token) {
  if (is_kept(token))
    out += token;
  else if (token == negative_zero)
    out.append(token).append(".0");
  else
    out.append(1, '"').append(token).append(1, '"');
}

std::optional<std::string> with_exact_numbers(std::string_view text, std::size_t least_depth) {
  std::optional<std::string> out;
  std::size_t copied = 0;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      i = end_of_json_string(text, i);
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    } else if (starts_number(c)) {
      const auto token = number_token(text, i);
      if (depth >= least_depth && !is_kept(token)) {
        if (!out)
          out.emplace();
        out->append(text, copied, i - copied);
        append_exact_number(*out, token);
        copied = i + token.size();
      }
      i += token.size() - 1;
    }
  }
  if (out)
    out->append(text, copied, text.size() - copied);
  return out;
}

} // namespace gasoline

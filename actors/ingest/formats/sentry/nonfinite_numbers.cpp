#include "actors/ingest/formats/sentry/nonfinite_numbers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gasoline {
namespace {

/// The bytes of such a number at the beginning of the text; 0: there is none.
std::size_t nonfinite_number(std::string_view text) {
  constexpr std::array<std::string_view, 3> words{"NaN", "Infinity", "-Infinity"};
  for (const auto word : words)
    if (text.starts_with(word))
      return word.size();
  return 0;
}

/// Where the string that opens at `i` ends.
std::size_t string_end_from(std::string_view text, std::size_t i) {
  for (++i; i < text.size() && text[i] != '"'; ++i)
    if (text[i] == '\\')
      ++i;
  return std::min(i + 1, text.size());
}

} // namespace

std::optional<std::string> without_nonfinite_numbers(std::string_view json) {
  std::string out;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < json.size();) {
    if (json[i] == '"') {
      i = string_end_from(json, i);
    } else if (const auto length = nonfinite_number(json.substr(i)); length > 0) {
      out.append(json, kept, i - kept).append("null");
      i += length;
      kept = i;
    } else {
      ++i;
    }
  }
  if (kept == 0)
    return std::nullopt;
  return out.append(json, kept);
}

} // namespace gasoline

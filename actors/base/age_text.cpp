#include "actors/base/age_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

namespace gasoline {
using std::chrono::milliseconds;

std::optional<milliseconds> parse_age(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
  const std::string_view unit{end, static_cast<std::size_t>(text.data() + text.size() - end)};
  constexpr std::int64_t longest = 1'000'000'000;
  if (ec != std::errc{} || n < 0 || n > longest)
    return std::nullopt;
  if (unit == "ms")
    return milliseconds{n};
  if (unit == "s")
    return std::chrono::seconds{n};
  if (unit == "m" || unit == "min")
    return std::chrono::minutes{n};
  if (unit == "h")
    return std::chrono::hours{n};
  return std::nullopt;
}

std::string age_text(milliseconds age) {
  using namespace std::chrono;
  if (age < 1s)
    return std::to_string(std::max(age, 0ms).count()) + " ms";
  if (age < 2min)
    return std::to_string(floor<seconds>(age).count()) + " s";
  if (age < 2h)
    return std::to_string(floor<minutes>(age).count()) + " min";
  return std::to_string(floor<hours>(age).count()) + " h";
}

} // namespace gasoline

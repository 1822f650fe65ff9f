#include "messages/base/time.hpp"

#include <array>
#include <string>
#include <string_view>

namespace gasoline {
namespace {

/// Reads exactly `digits` digits at `pos` and moves past them; -1 when there are none.
int read_digits(std::string_view text, std::size_t& pos, std::size_t digits) {
  if (pos + digits > text.size())
    return -1;
  int value = 0;
  for (const char c : text.substr(pos, digits)) {
    if (c < '0' || c > '9')
      return -1;
    value = value * 10 + (c - '0');
  }
  pos += digits;
  return value;
}

bool skip(std::string_view text, std::size_t& pos, std::string_view either) {
  // One or two letters: a search in a library costs more than the letters.
  if (pos >= text.size() || (text[pos] != either.front() && text[pos] != either.back()))
    return false;
  ++pos;
  return true;
}

int read_milliseconds(std::string_view text, std::size_t& pos) {
  int ms = 0;
  int scale = 100;
  while (pos < text.size() && text[pos] >= '0' && text[pos] <= '9') {
    ms += (text[pos] - '0') * scale;
    scale /= 10;
    ++pos;
  }
  return ms;
}

std::optional<std::chrono::minutes> read_offset(std::string_view text, std::size_t& pos) {
  if (pos == text.size() || (skip(text, pos, "Zz") && pos == text.size()))
    return std::chrono::minutes{0};
  const int sign = text[pos] == '-' ? -1 : 1;
  if (!skip(text, pos, "+-"))
    return std::nullopt;
  const int hours = read_digits(text, pos, 2);
  skip(text, pos, ":");
  const int minutes = read_digits(text, pos, 2);
  if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59 || pos != text.size())
    return std::nullopt;
  return std::chrono::minutes{sign * (hours * 60 + minutes)};
}

/// Appends a number with at least that many digits. Times stand in every item of an answer, and
/// `snprintf` was a quarter of what an answer cost.
void append_padded(std::string& out, int value, std::size_t digits) {
  if (value < 0) {
    out += '-';
    value = -value;
  }
  std::array<char, 4> text{};
  for (std::size_t i = digits; i > 0; --i, value /= 10)
    text.at(i - 1) = static_cast<char>('0' + value % 10);
  if (value > 0) // a year with more digits than that
    out += std::to_string(value);
  out.append(text.data(), digits);
}

} // namespace

std::string to_iso8601(wall_time at) {
  const auto midnight = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{midnight};
  const std::chrono::hh_mm_ss time{at - midnight};
  std::string out;
  out.reserve(std::string_view{"2026-01-28T14:30:00.000Z"}.size());
  append_padded(out, int{date.year()}, 4);
  append_padded(out += '-', static_cast<int>(unsigned{date.month()}), 2);
  append_padded(out += '-', static_cast<int>(unsigned{date.day()}), 2);
  append_padded(out += 'T', static_cast<int>(time.hours().count()), 2);
  append_padded(out += ':', static_cast<int>(time.minutes().count()), 2);
  append_padded(out += ':', static_cast<int>(time.seconds().count()), 2);
  append_padded(out += '.', static_cast<int>(time.subseconds().count()), 3);
  return out += 'Z';
}

std::optional<wall_time> from_iso8601(std::string_view text) {
  std::size_t pos = 0;
  const int year = read_digits(text, pos, 4);
  if (!skip(text, pos, "-"))
    return std::nullopt;
  const int month = read_digits(text, pos, 2);
  if (!skip(text, pos, "-"))
    return std::nullopt;
  const int day = read_digits(text, pos, 2);
  if (!skip(text, pos, "Tt") && !skip(text, pos, " "))
    return std::nullopt;
  const int hour = read_digits(text, pos, 2);
  if (!skip(text, pos, ":"))
    return std::nullopt;
  const int minute = read_digits(text, pos, 2);
  if (!skip(text, pos, ":"))
    return std::nullopt;
  const int second = read_digits(text, pos, 2);
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 ||
      minute < 0 || minute > 59 || second < 0 || second > 60)
    return std::nullopt;
  const int ms = skip(text, pos, ".,") ? read_milliseconds(text, pos) : 0;
  const auto offset = read_offset(text, pos);
  if (!offset)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok())
    return std::nullopt;
  return wall_time{std::chrono::sys_days{date}} + std::chrono::hours{hour} +
         std::chrono::minutes{minute} + std::chrono::seconds{second} +
         std::chrono::milliseconds{ms} - *offset;
}

} // namespace gasoline

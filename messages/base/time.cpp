#include "messages/base/time.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>

namespace gasoline {
namespace {

/// Reads exactly `digits` digits at `pos` and moves past them; -1 when there are none.
int read_digits(std::string_view text, std::size_t& pos, std::size_t digits) {
  if (pos + digits > text.size())
    return -1;
  int value = 0;
  const auto* first = text.data() + pos;
  const auto [end, ec] = std::from_chars(first, first + digits, value);
  if (ec != std::errc{} || end != first + digits || value < 0)
    return -1;
  pos += digits;
  return value;
}

bool skip(std::string_view text, std::size_t& pos, std::string_view any_of) {
  if (pos >= text.size() || any_of.find(text[pos]) == std::string_view::npos)
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

} // namespace

std::string to_iso8601(wall_time at) {
  const auto since = at.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  const auto ms = static_cast<int>((since - seconds).count());
  const std::time_t t = seconds.count();
  std::tm utc{};
  gmtime_r(&t, &utc);
  std::array<char, 80> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
                utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
                utc.tm_sec, ms);
  return buffer.data();
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
  if (!skip(text, pos, "Tt "))
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

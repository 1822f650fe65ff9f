#include "actors/ingest/formats/sentry/sentry_values.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

constexpr auto clocks_differ_by = std::chrono::hours{24};

std::optional<wall_time> time_in_seconds(double seconds) {
  constexpr double year_2200 = 7258118400.0;
  if (!std::isfinite(seconds) || seconds < 0 || seconds > year_2200)
    return std::nullopt;
  return wall_time{std::chrono::milliseconds{std::llround(seconds * 1000)}};
}

// Python's older SDKs write no zone where they mean UTC.
std::optional<wall_time> time_in_words(std::string_view text) {
  if (const auto at = from_iso8601(text))
    return at;
  return from_iso8601(std::string{text} + "Z");
}

} // namespace

std::optional<dom::element> member_in(const dom::element& object, std::string_view name) {
  dom::element out;
  if (object.is_object() && object[name].get(out) == simdjson::SUCCESS)
    return out;
  return std::nullopt;
}

std::string_view text_in(const dom::element& object, std::string_view name) {
  std::string_view out;
  if (const auto found = member_in(object, name))
    if (found->get_string().get(out) == simdjson::SUCCESS)
      return out;
  return {};
}

std::string event_id_in(const dom::element& object) {
  constexpr std::size_t longest_id = 64;
  const auto id = text_in(object, "event_id");
  return id.size() <= longest_id ? std::string{id} : std::string{};
}

std::vector<dom::element> values_of(const dom::element& wrapped) {
  const auto inside = member_in(wrapped, "values");
  const auto& list = inside ? *inside : wrapped;
  dom::array elements;
  std::vector<dom::element> out;
  if (list.get_array().get(elements) == simdjson::SUCCESS)
    for (const auto element : elements)
      out.push_back(element);
  else if (list.is_object() && !inside)
    out.push_back(list);
  return out;
}

std::string sdk_words(const dom::element& sdk) {
  std::string out{text_in(sdk, "name")};
  if (const auto version = text_in(sdk, "version"); !out.empty() && !version.empty())
    out.append(" ").append(version);
  return out;
}

std::optional<log_level> sentry_level(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, log_level>, 9> words{{
      {"fatal", log_level::error},
      {"critical", log_level::error},
      {"error", log_level::error},
      {"warning", log_level::warn},
      {"warn", log_level::warn},
      {"info", log_level::info},
      {"log", log_level::log},
      {"debug", log_level::debug},
      {"trace", log_level::debug},
  }};
  for (const auto& [known, level] : words)
    if (known == word)
      return level;
  return std::nullopt;
}

std::optional<wall_time> sentry_time(const dom::element& value, wall_time now) {
  std::optional<wall_time> at;
  if (double seconds = 0; value.get_double().get(seconds) == simdjson::SUCCESS)
    at = time_in_seconds(seconds);
  else if (std::string_view text; value.get_string().get(text) == simdjson::SUCCESS)
    at = time_in_words(text);
  if (at && (*at > now + clocks_differ_by || *at < now - clocks_differ_by))
    return std::nullopt;
  return at;
}

std::string_view program_of_release(std::string_view release) {
  const auto at = release.rfind('@');
  return at == std::string_view::npos ? std::string_view{} : release.substr(0, at);
}

} // namespace gasoline

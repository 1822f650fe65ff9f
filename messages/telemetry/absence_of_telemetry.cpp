#include "messages/telemetry/absence_of_telemetry.hpp"

#include <array>
#include <string_view>

namespace gasoline {
namespace {

using nlohmann::json;

/// A page that has loaded the script says something within this time: its first vitals.
constexpr std::int64_t silence_ms = 5000;

json arrivals_in(const json& health) {
  const auto http = health.value("http", json::object());
  return http.is_object() ? http.value("arrivals", json::object()) : json::object();
}

/// Refusals to read or act say nothing of telemetry.
bool concerns_telemetry(const json& refusal) {
  constexpr std::array<std::string_view, 4> others{"/mcp", "/sessions", "/streams", "/health"};
  const auto path = refusal.value("path", std::string{});
  for (const auto other : others)
    if (path.starts_with(other))
      return false;
  return true;
}

std::string times(const json& refusal) {
  const auto count = refusal.value("count", std::uint64_t{1});
  return count == 1 ? "once" : std::to_string(count) + " times";
}

std::string seconds_ago(std::int64_t ms) {
  return std::to_string((ms + 999) / 1000) + " s ago";
}

std::string silent_script(std::int64_t ms, const json& health) {
  if (ms < silence_ms)
    return "no telemetry has arrived since the engine started. The page script was loaded just "
           "now; ask again in some seconds.";
  const auto engine = "http://localhost:" + std::to_string(health.value("port", 0));
  return "no telemetry has arrived since the engine started, though a page has loaded the page "
         "script " +
         seconds_ago(ms) +
         ". Usually the page's Content-Security-Policy forbids "
         "sending: add \"connect-src " +
         engine +
         "\" to it; or the engine refuses the page's origin: `gasoline doctor` and configure with "
         "action health show refused ones. The page's console has a line that starts with "
         "\"gasoline:\".";
}

} // namespace

std::optional<std::string> refused_page(const json& health) {
  for (const auto& row : arrivals_in(health).value("refused", json::array()))
    if (row.contains("origin") && concerns_telemetry(row))
      return "A page was refused " + times(row) + ", the last time " +
             seconds_ago(row.value("ms_ago", std::int64_t{0})) + ". " +
             row.value("reason", std::string{});
  return std::nullopt;
}

std::string absence_of_telemetry(const json& health) {
  if (const auto page = refused_page(health))
    return "no telemetry has arrived since the engine started. " + *page;
  const auto arrivals = arrivals_in(health);
  if (arrivals.value("script_loads", std::uint64_t{0}) > 0)
    return silent_script(arrivals.value("script_loaded_ms_ago", std::int64_t{0}), health);
  return "no telemetry has arrived since the engine started. Add the page script gasoline.js from "
         "the engine's port to the page, or POST telemetry to the engine; configure with action "
         "health shows the port and what has arrived.";
}

std::vector<std::string> refused_callers(const json& health) {
  std::vector<std::string> out;
  const auto arrivals = arrivals_in(health);
  for (const auto& row : arrivals.value("refused", json::array()))
    out.push_back(row.value("origin", std::string{"a program"}) + " at " +
                  row.value("path", std::string{}) + ": " + std::to_string(row.value("status", 0)) +
                  ", " + times(row) + ". " + row.value("reason", std::string{}));
  return out;
}

} // namespace gasoline

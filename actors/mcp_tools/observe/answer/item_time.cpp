#include "actors/mcp_tools/observe/answer/item_time.hpp"

#include "messages/base/time.hpp"

#include <algorithm>
#include <cstdint>

namespace gasoline {

std::string span_words(std::chrono::milliseconds span) {
  constexpr std::int64_t minute = 60'000;
  constexpr std::int64_t hour = 60 * minute;
  const auto ms = span.count();
  if (ms < 1000)
    return std::to_string(ms) + "ms";
  if (ms < 2 * minute)
    return std::to_string(ms / 1000) + "s";
  return ms < 2 * hour ? std::to_string(ms / minute) + "m" : std::to_string(ms / hour) + "h";
}

void add_time(json_object_writer& w, const event& e, const observe_call& call) {
  using namespace std::chrono_literals;
  const auto age = call.asked_at ? *call.asked_at - e.at : 24h;
  if (age >= 24h)
    w.text("ts", to_iso8601(e.at));
  else // the clock of a page may be ahead
    w.text("ago", span_words(std::max<std::chrono::milliseconds>(age, 0ms)));
}

} // namespace gasoline

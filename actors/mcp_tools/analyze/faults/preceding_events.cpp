#include "actors/mcp_tools/analyze/faults/preceding_events.hpp"

#include "actors/resolution/deed_words.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace gasoline {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds action_reach{5'000};
constexpr milliseconds request_reach{2'000};

/// A flood between the two says that they have little to do with each other.
constexpr std::size_t most_looked_at = 500;

/// The newest of these before `e`, on its page and within reach, of which `words` has some.
template <class Words>
std::string newest_before(event_span deeds, const event& e, milliseconds reach, Words words) {
  const auto page = page_of(e);
  auto at = std::upper_bound(deeds.begin(), deeds.end(), e.at,
                             [](wall_time time, const event* later) { return time < later->at; });
  for (std::size_t looked = 0; at != deeds.begin() && looked < most_looked_at; ++looked) {
    const auto& earlier = **(--at);
    if (e.at - earlier.at > reach)
      break;
    if (earlier.sequence == e.sequence || page_of(earlier) != page)
      continue;
    if (auto out = words(earlier); !out.empty())
      return out;
  }
  return {};
}

std::string answer_words(const event& request) {
  return request_words(request) +
         (request.status == 0 ? " failed" : ' ' + std::to_string(request.status));
}

} // namespace

preceding_events::preceding_events(event_span events) {
  for (const auto* told : events)
    if (told->kind == telemetry_kind::action)
      actions_.push_back(told);
    else if (told->status >= 0 && is_request(*told))
      requests_.push_back(told);
}

std::string preceding_events::last_step_before(const event& e) const {
  auto action = newest_before(actions_, e, action_reach, action_words);
  return action.empty() ? newest_before(requests_, e, request_reach, answer_words) : action;
}

} // namespace gasoline

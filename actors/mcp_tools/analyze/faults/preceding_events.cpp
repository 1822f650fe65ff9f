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

/// The newest event before `e`, on its page and within reach, of which `words` has some.
template <class Words>
std::string newest_before(const std::vector<event_group>& events, const event& e,
                          milliseconds reach, Words words) {
  const auto page = page_of(e);
  auto at = std::upper_bound(
      events.begin(), events.end(), e.at,
      [](wall_time time, const event_group& group) { return time < group.newest->at; });
  for (std::size_t looked = 0; at != events.begin() && looked < most_looked_at; ++looked) {
    const auto& earlier = *(--at)->newest;
    if (e.at - earlier.at > reach)
      break;
    if (earlier.sequence == e.sequence || page_of(earlier) != page)
      continue;
    if (auto out = words(earlier); !out.empty())
      return out;
  }
  return {};
}

std::string ended_request(const event& e) {
  auto out = request_words(e);
  if (out.empty() || e.status < 0)
    return {};
  return out + (e.status == 0 ? " failed" : ' ' + std::to_string(e.status));
}

} // namespace

std::string last_action_before(const std::vector<event_group>& events, const event& e) {
  return newest_before(events, e, action_reach, action_words);
}

std::string last_step_before(const std::vector<event_group>& events, const event& e) {
  auto action = last_action_before(events, e);
  return action.empty() ? newest_before(events, e, request_reach, ended_request) : action;
}

} // namespace gasoline

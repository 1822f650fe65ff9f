#include "actors/mcp_tools/analyze/faults/fault_table.hpp"

#include "actors/detection/fault/fault_key.hpp"
#include "actors/resolution/fault_names.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_occurrences = 50;

} // namespace

fault_table faults_in(const std::vector<event_group>& events, const limits_of<alert_room>& limit) {
  fault_table out;
  fault_names names{limit};
  for (const auto& group : events) {
    const auto* named = names.of(*group.newest);
    if (!named)
      continue;
    const auto [known, added] = out.try_emplace(named->key);
    auto& f = known->second;
    if (added)
      f.title = named->title;
    f.count += group.count;
    if (f.occurrences.size() < most_occurrences)
      f.occurrences.push_back(group.newest);
    f.first_at = added ? group.first_at : std::min(f.first_at, group.first_at);
    if (!added && group.newest->at < f.last_at)
      continue;
    f.last_at = group.newest->at;
    f.newest = group.newest;
  }
  for (auto& [key, f] : out) {
    f.place = error_location(*f.newest);
    if (f.occurrences.size() > 1) // in the words of the newest
      if (auto named = name_fault(*f.newest, limit))
        f.title = std::move(named->title);
  }
  return out;
}

const fault* newest_fault(const fault_table& faults, std::string_view title) {
  const fault* out = nullptr;
  for (const auto& [key, f] : faults) {
    if (!title.empty() && f.title.view() != title)
      continue;
    if (!out || f.last_at > out->last_at)
      out = &f;
  }
  return out;
}

} // namespace gasoline

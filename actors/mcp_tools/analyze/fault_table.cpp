#include "actors/mcp_tools/analyze/fault_table.hpp"

#include "actors/detection/direct_alert.hpp"
#include "actors/detection/fault_key.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_occurrences = 50;

struct named_fault {
  std::string key;
  redacted_text title;
};

std::optional<named_fault> fault_of(const event& e, const limits_of<alert_room>& limit) {
  if (!may_alert(e) || e.echo)
    return std::nullopt;
  if (auto a = direct_alert(e, limit)) {
    auto key = a->dedup_key.empty() ? a->title.str() : a->dedup_key.str();
    return named_fault{std::move(key), std::move(a->title)};
  }
  if (!is_error_entry(e))
    return std::nullopt;
  const auto line = normalised_line(e.message, limit.alert.key_bytes);
  return named_fault{"line:" + line.str(), e.message.shortened(limit.alert.key_bytes)};
}

} // namespace

fault_table faults_in(const std::vector<event_group>& events, const limits_of<alert_room>& limit) {
  fault_table out;
  for (const auto& group : events) {
    auto named = fault_of(*group.newest, limit);
    if (!named)
      continue;
    const auto [known, added] = out.try_emplace(std::move(named->key));
    auto& f = known->second;
    f.count += group.count;
    if (f.occurrences.size() < most_occurrences)
      f.occurrences.push_back(group.newest);
    f.first_at = added ? group.first_at : std::min(f.first_at, group.first_at);
    if (!added && group.newest->at < f.last_at)
      continue;
    f.last_at = group.newest->at;
    f.title = std::move(named->title);
    f.place = error_location(*group.newest);
    f.newest = group.newest;
  }
  return out;
}

} // namespace gasoline

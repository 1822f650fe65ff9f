#include "actors/alerts/muted_alerts.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_muted = 100;

} // namespace

void muted_alerts::mute(reader_id reader, std::uint64_t id, std::string key,
                        std::optional<mono_time> until) {
  auto& rows = rows_[reader];
  std::erase_if(rows, [&](const row& r) { return r.key == key; });
  if (rows.size() >= most_muted)
    rows.erase(rows.begin());
  rows.push_back({id, std::move(key), until});
}

bool muted_alerts::unmute(reader_id reader, std::uint64_t id, const std::string& key) {
  const auto found = rows_.find(reader);
  return found != rows_.end() && std::erase_if(found->second, [&](const row& r) {
                                   return r.id == id || (!key.empty() && r.key == key);
                                 }) > 0;
}

bool muted_alerts::covers(reader_id reader, const alert& a, mono_time now) const {
  const auto found = rows_.find(reader);
  if (found == rows_.end())
    return false;
  const auto key = merge_key(a);
  return std::any_of(found->second.begin(), found->second.end(), [&](const row& r) {
    return (!r.until || now < *r.until) && (r.key == key || r.key == a.ends.view());
  });
}

std::size_t muted_alerts::muted(reader_id reader, mono_time now) const {
  const auto found = rows_.find(reader);
  if (found == rows_.end())
    return 0;
  return static_cast<std::size_t>(
      std::count_if(found->second.begin(), found->second.end(),
                    [&](const row& r) { return !r.until || now < *r.until; }));
}

void muted_alerts::join(reader_id from, reader_id to) {
  auto earlier = rows_.extract(from);
  if (earlier.empty())
    return;
  for (auto& r : earlier.mapped())
    mute(to, r.id, std::move(r.key), r.until);
}

} // namespace gasoline

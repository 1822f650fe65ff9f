#include "actors/alerts/alert_recurrence.hpp"

#include <iterator>

namespace gasoline {

std::uint32_t alert_recurrence::count(const std::string& key, std::uint64_t id) {
  if (const auto found = index_.find(key); found != index_.end()) {
    keys_.splice(keys_.end(), keys_, found->second);
    found->second->newest_id = id;
    return found->second->times++;
  }
  if (keys_.size() >= capacity_) {
    index_.erase(keys_.front().key);
    keys_.pop_front();
  }
  keys_.push_back({key, 1, id});
  const auto last = std::prev(keys_.end());
  index_.emplace(last->key, last);
  return 0;
}

std::uint64_t alert_recurrence::newest(const std::string& key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? 0 : found->second->newest_id;
}

} // namespace gasoline

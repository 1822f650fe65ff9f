#include "actors/alerts/alert_recurrence.hpp"

#include <iterator>
#include <utility>

namespace gasoline {

std::uint32_t alert_recurrence::count(const std::string& key, std::uint64_t id) {
  if (const auto found = index_.find(key); found != index_.end()) {
    keys_.splice(keys_.end(), keys_, found->second);
    found->second->newest_id = id;
    found->second->absorbed = false;
    return found->second->times++;
  }
  if (keys_.size() >= capacity_) {
    index_.erase(keys_.front().key);
    keys_.pop_front();
  }
  keys_.push_back({key, 1, id, 0, false, false});
  const auto last = std::prev(keys_.end());
  index_.emplace(last->key, last);
  return 0;
}

std::uint64_t alert_recurrence::newest(const std::string& key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? 0 : found->second->newest_id;
}

bool alert_recurrence::resolve(const std::string& key) {
  const auto found = index_.find(key);
  if (found == index_.end() || found->second->absorbed || found->second->resolved)
    return false;
  found->second->resolved = true;
  return true;
}

void alert_recurrence::absorb(const std::string& key) {
  if (const auto found = index_.find(key); found != index_.end())
    found->second->absorbed = true;
}

std::uint32_t alert_recurrence::take_return(const std::string& key) {
  const auto found = index_.find(key);
  if (found == index_.end() || !std::exchange(found->second->resolved, false))
    return 0;
  return ++found->second->returns;
}

} // namespace gasoline

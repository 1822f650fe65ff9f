#include "actors/ingest/decoding/recent_ids.hpp"

#include <functional>

namespace gasoline {

bool recent_ids::add(std::string_view id) {
  const std::uint64_t hash = std::hash<std::string_view>{}(id);
  if (!known_.insert(hash).second)
    return false;
  order_.push_back(hash);
  if (order_.size() > most_) {
    known_.erase(order_.front());
    order_.pop_front();
  }
  return true;
}

} // namespace gasoline

#include "actors/push/dedup_cache.hpp"

#include <functional>
#include <iterator>

namespace gasoline {

bool dedup_cache::seen(std::string_view key, mono_time now) const {
  const auto found = index_.find(fingerprint_of(key));
  return found != index_.end() && now - found->second->at < window_;
}

void dedup_cache::remember(std::string_view key, mono_time now) {
  while (!entries_.empty() && now - entries_.front().at > 2 * window_)
    pop_oldest();
  const auto print = fingerprint_of(key);
  if (const auto found = index_.find(print); found != index_.end()) {
    found->second->at = now;
    entries_.splice(entries_.end(), entries_, found->second);
    return;
  }
  if (entries_.size() >= capacity_)
    pop_oldest();
  entries_.push_back({print, now});
  index_.emplace(print, std::prev(entries_.end()));
}

dedup_cache::fingerprint dedup_cache::fingerprint_of(std::string_view key) {
  // Two unrelated hashes: FNV-1a and the library's.
  std::uint64_t fnv = 14695981039346656037ULL;
  for (const char c : key)
    fnv = (fnv ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return {std::hash<std::string_view>{}(key), fnv};
}

bool dedup_cache::holds(std::string_view key) const {
  return index_.count(fingerprint_of(key)) > 0;
}

void dedup_cache::forget(std::string_view key) {
  const auto found = index_.find(fingerprint_of(key));
  if (found == index_.end())
    return;
  entries_.erase(found->second);
  index_.erase(found);
}

void dedup_cache::clear() {
  index_.clear();
  entries_.clear();
}

void dedup_cache::pop_oldest() {
  index_.erase(entries_.front().key);
  entries_.pop_front();
}

} // namespace gasoline

#include "actors/alerts/batch_alerts.hpp"

#include <limits>
#include <utility>

namespace gasoline {
namespace {

std::uint32_t saturated_sum(std::uint32_t a, std::uint32_t b) {
  constexpr auto most = std::numeric_limits<std::uint32_t>::max();
  return a > most - b ? most : a + b;
}

} // namespace

void batch_alerts::add(alert a) {
  const auto key = merge_key(a);
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    merge(alerts_[known->second], std::move(a));
    return;
  }
  auto& kept = kept_[static_cast<std::size_t>(a.level)];
  if (kept >= most_) {
    dropped_ += a.count;
    return;
  }
  ++kept;
  by_key_.emplace(key, alerts_.size());
  alerts_.push_back(std::move(a));
}

// What only updates an alert of the batch is part of it; an alert makes an update one.
void batch_alerts::merge(alert& first, alert a) {
  a.count = first.update == a.update ? saturated_sum(first.count, a.count)
            : a.update               ? first.count
                                     : a.count;
  const bool occurred = !first.update || !a.update;
  auto also = std::move(first.also);
  add_evidence(also, a.also, most_evidence_);
  a.effects.insert(a.effects.end(), first.effects.begin(), first.effects.end());
  if (a.title.empty() || (a.level < first.level && !a.update)) {
    first.count = a.count;
    first.effects = std::move(a.effects);
  } else {
    first = std::move(a);
  }
  first.also = std::move(also);
  first.update = !occurred;
}

std::vector<alert> batch_alerts::take() {
  by_key_.clear();
  kept_ = {};
  return std::exchange(alerts_, {});
}

} // namespace gasoline

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
  if (const auto known = by_key_.find(a.dedup_key.str()); known != by_key_.end()) {
    auto& first = alerts_[known->second];
    first.count = saturated_sum(first.count, a.count);
    return;
  }
  auto& kept = kept_[static_cast<std::size_t>(a.level)];
  if (kept >= most_) {
    dropped_ += a.count;
    return;
  }
  ++kept;
  by_key_.emplace(a.dedup_key.str(), alerts_.size());
  alerts_.push_back(std::move(a));
}

std::vector<alert> batch_alerts::take() {
  by_key_.clear();
  kept_ = {};
  return std::exchange(alerts_, {});
}

} // namespace gasoline

#include "actors/detection/page_baseline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gasoline {
namespace {

constexpr std::uint32_t samples_averaged = 4;
constexpr std::uint32_t samples_needed = 2;
constexpr std::uint32_t regressed_until_relearned = 5;
constexpr double old_weight = 0.8;
constexpr double worse_by = 0.2;
constexpr double layout_shift_by = 0.1;
constexpr double small_difference_ms = 50;
// Keeps 20 % exactly, and what rounding makes of it, from counting as more.
constexpr double tolerance = 1e-9;

bool is_usable(page_metric metric, double value) {
  if (!std::isfinite(value) || value < 0)
    return false;
  return value > 0 || metric == page_metric::cls;
}

// The web-vitals threshold above which a value counts as poor; 0: there is none.
double poor_above(page_metric metric) {
  switch (metric) {
  case page_metric::lcp:
    return 4000;
  case page_metric::fcp:
    return 3000;
  case page_metric::inp:
    return 500;
  case page_metric::ttfb:
    return 1800;
  case page_metric::cls:
    return 0.25;
  case page_metric::load:
    return 0;
  }
  return 0;
}

bool is_worse(page_metric metric, double baseline, double value) {
  if (metric == page_metric::cls)
    return value - baseline > layout_shift_by + tolerance;
  return value - baseline > baseline * (worse_by + tolerance);
}

severity level_of(page_metric metric, double baseline, double value) {
  const double poor = poor_above(metric);
  if (poor > 0 && baseline <= poor && value > poor)
    return severity::error;
  if (metric != page_metric::cls && value - baseline < small_difference_ms)
    return severity::info;
  return severity::warning;
}

} // namespace

page_baseline::page_baseline(const limits& limit)
    : most_pages_(std::max<std::uint64_t>(1, limit.detection.baseline_pages)) {}

std::vector<regression> page_baseline::add(const std::string& page, std::string_view load_id,
                                           const page_metrics& metrics) {
  std::vector<regression> found;
  auto& state = page_named(page);
  const auto load = load_id.empty() ? 0 : std::hash<std::string_view>{}(load_id);
  for (std::size_t i = 0; i < page_metric_count; ++i) {
    regression r;
    r.metric = static_cast<page_metric>(i);
    const auto& value = metrics[r.metric];
    if (!value || !is_usable(r.metric, *value))
      continue;
    r.value = *value;
    begin_sample(state.metrics[i], load);
    if (take_sample(state.metrics[i], r))
      found.push_back(r);
  }
  return found;
}

page_baseline::page_state& page_baseline::page_named(const std::string& page) {
  if (const auto known = by_name_.find(page); known != by_name_.end()) {
    pages_.splice(pages_.begin(), pages_, known->second);
    return pages_.front();
  }
  if (pages_.size() >= most_pages_) {
    by_name_.erase(pages_.back().page);
    pages_.pop_back();
  }
  pages_.emplace_front();
  pages_.front().page = page;
  by_name_.emplace(page, pages_.begin());
  return pages_.front();
}

// A further report of the same load takes the place of the earlier one.
void page_baseline::begin_sample(metric_state& state, std::size_t load) {
  if (load != 0 && state.load == load) {
    state.now = state.before_load;
    return;
  }
  state.load = load;
  state.before_load = state.now;
  state.told = false;
}

bool page_baseline::take_sample(metric_state& state, regression& found) {
  auto& t = state.now;
  if (t.samples >= samples_needed && is_worse(found.metric, t.mean, found.value)) {
    found.baseline = t.mean;
    found.level = level_of(found.metric, t.mean, found.value);
    if (++t.regressed_in_a_row >= regressed_until_relearned)
      t = track{found.value, 1, 0};
    const bool news = !state.told || found.level > state.told_level;
    state.told = true;
    state.told_level = std::max(state.told_level, found.level);
    return news;
  }
  t.regressed_in_a_row = 0;
  if (t.samples < samples_averaged)
    t.mean += (found.value - t.mean) / (t.samples + 1);
  else
    t.mean = old_weight * t.mean + (1 - old_weight) * found.value;
  ++t.samples;
  return false;
}

} // namespace gasoline

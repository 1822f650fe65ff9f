#include "actors/detection/page_baseline.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gasoline {
namespace {

constexpr std::uint32_t samples_averaged = 4;
constexpr std::uint32_t samples_needed = 2;
constexpr std::uint32_t worse_until_relearned = 5;
constexpr std::uint32_t worse_until_told = 2;
constexpr double old_weight = 0.8;
constexpr double spread_weight = 0.05;
constexpr double chance_weight = 0.5;
constexpr double worse_by = 0.2;
constexpr double layout_shift_by = 0.1;
constexpr double small_difference_ms = 50;
constexpr double deviations = 2;
// A metric explains the others when it accounts for that part of what the worst one lost.
constexpr double explains = 0.5;
// Keeps 20 % exactly, and what rounding makes of it, from counting as more.
constexpr double tolerance = 1e-9;

bool is_usable(page_metric metric, double value, navigation_kind kind) {
  if (!std::isfinite(value) || value < 0)
    return false;
  const bool instant =
      kind == navigation_kind::soft && (metric == page_metric::inp || metric == page_metric::ttfb);
  return value > 0 || metric == page_metric::cls || instant;
}

// A hot update paints, shifts and blocks by itself: what a page that lives on measures afterwards
// says nothing about it.
bool is_comparable(page_metric metric, const page_metrics& metrics) {
  return metrics.hot_updates == 0 || metric == page_metric::ttfb || metric == page_metric::fcp ||
         metric == page_metric::load || metric == page_metric::response;
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
  case page_metric::response:
    return 0;
  }
  return 0;
}

// What came first in a load, so that it may have caused what came later.
int causal_rank(page_metric metric) {
  constexpr std::array order{page_metric::response, page_metric::ttfb, page_metric::fcp,
                             page_metric::lcp,      page_metric::load, page_metric::inp,
                             page_metric::cls};
  return static_cast<int>(std::find(order.begin(), order.end(), metric) - order.begin());
}

bool is_worse(page_metric metric, double baseline, double variance, double value) {
  const double miss = value - baseline;
  if (miss <= deviations * std::sqrt(variance) + tolerance)
    return false;
  if (metric == page_metric::cls)
    return miss > layout_shift_by + tolerance;
  return miss >= small_difference_ms && miss > baseline * (worse_by + tolerance);
}

// How much a load may lose by chance while the page's own spread is not known yet.
double usual_jitter(page_metric metric) {
  switch (metric) {
  case page_metric::lcp:
  case page_metric::load:
    return 400;
  case page_metric::fcp:
    return 300;
  case page_metric::inp:
  case page_metric::response:
    return 200;
  case page_metric::ttfb:
    return 100;
  case page_metric::cls:
    return 0;
  }
  return 0;
}

// Within this many standard deviations 95 % of further loads lie while few are known: Student's t
// for as many loads, times what the mean of so few may itself be off (the deviation is of all
// loads).
double likely_deviations(std::uint32_t samples) {
  constexpr double after_two = 22;
  constexpr double after_three = 6.1;
  return samples <= 2 ? after_two : after_three;
}

severity level_of(page_metric metric, double baseline, double value) {
  const double poor = poor_above(metric);
  return poor > 0 && baseline <= poor && value > poor ? severity::error : severity::warning;
}

double square(double value) {
  return value * value;
}

// The spread changes slowly, so that a page which is slow now and then is known for it.
double spread_after(double variance, double miss, std::uint32_t samples, double weight) {
  if (samples < samples_averaged)
    return (1 - weight) * (variance + weight * miss * miss);
  return variance + spread_weight * (miss * miss - variance);
}

// The earliest metric that accounts for most of the loss leads.
void lead_with_the_cause(std::vector<regression>& found) {
  double most = 0;
  for (const auto& r : found)
    if (r.metric != page_metric::cls)
      most = std::max(most, r.value - r.baseline);
  const auto rank = [most](const regression& r) {
    const bool cause = r.metric != page_metric::cls && r.value - r.baseline >= explains * most;
    return causal_rank(r.metric) + (cause ? 0 : static_cast<int>(page_metric_count));
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const regression& a, const regression& b) { return rank(a) < rank(b); });
}

} // namespace

page_baseline::page_baseline(const limits_of<detection_room>& limit)
    : most_pages_(std::max<std::uint64_t>(1, limit.detection.baseline_pages)) {}

load_verdict page_baseline::add(const std::string& page, std::string_view load_id,
                                const page_metrics& metrics) {
  load_verdict out;
  auto& state = page_named(page + '\n' + static_cast<char>('0' + static_cast<int>(metrics.kind)));
  const auto load = load_id.empty() ? 0 : std::hash<std::string_view>{}(load_id);
  begin_load(state, load);
  auto level = severity::info;
  for (std::size_t i = 0; i < page_metric_count; ++i) {
    regression r;
    r.metric = static_cast<page_metric>(i);
    const auto& value = metrics[r.metric];
    if (!value || !is_usable(r.metric, *value, metrics.kind) || !is_comparable(r.metric, metrics))
      continue;
    r.value = *value;
    if (!begin_sample(state.metrics[i], load) || !take_sample(state.metrics[i], r))
      continue;
    level = std::max(level, r.level);
    out.found.push_back(r);
  }
  if (out.found.empty())
    return out;
  lead_with_the_cause(out.found);
  out.told_before = state.told && level <= state.told_level;
  state.told_level = state.told ? std::max(state.told_level, level) : level;
  state.told = true;
  return out;
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

void page_baseline::begin_load(page_state& state, std::size_t load) {
  if (load != 0 && load == state.load)
    return;
  state.load = load;
  state.told = false;
}

// A further report of the same load takes the place of the earlier one. Two tabs of one page report
// in turn: what the older one still measures came too late to compare.
bool page_baseline::begin_sample(metric_state& state, std::size_t load) {
  if (load != 0 && state.earlier == load)
    return false;
  if (load != 0 && state.load == load) {
    state.now = state.before_load;
    return true;
  }
  state.earlier = state.load;
  state.load = load;
  state.before_load = state.now;
  state.told = false;
  return true;
}

bool page_baseline::take_sample(metric_state& state, regression& found) {
  auto& t = state.now;
  const double miss = found.value - t.mean;
  if (t.samples >= samples_needed && is_worse(found.metric, t.mean, t.variance, found.value)) {
    found.baseline = t.mean;
    t.worst_miss = std::max(t.worst_miss, miss);
    const bool beyond_chance = t.samples < samples_averaged && miss >= usual_jitter(found.metric) &&
                               miss > likely_deviations(t.samples) * std::sqrt(t.variance);
    if (++t.worse_in_a_row >= worse_until_told || beyond_chance)
      found.level = level_of(found.metric, t.mean, found.value);
    else
      found.level = severity::info;
    if (t.worse_in_a_row >= worse_until_relearned) {
      t = track{};
      t.mean = found.value;
      t.samples = 1;
    }
    const bool news = !state.told || found.level > state.told_level;
    state.told = true;
    state.told_level = std::max(state.told_level, found.level);
    return news;
  }
  // What turned out to be chance belongs to the spread.
  if (t.worse_in_a_row == 1)
    t.variance +=
        chance_weight * (square(std::min(t.worst_miss, std::max(t.mean, 1.0))) - t.variance);
  t.worse_in_a_row = 0;
  t.worst_miss = 0;
  const double weight = t.samples < samples_averaged ? 1.0 / (t.samples + 1) : 1 - old_weight;
  t.mean += weight * miss;
  t.variance = spread_after(t.variance, miss, t.samples, weight);
  ++t.samples;
  return false;
}

} // namespace gasoline

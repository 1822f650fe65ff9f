#include "actors/mcp_tools/analyze/modes/speed_diff.hpp"

#include "actors/base/page_key.hpp"
#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t least_samples = 3;
constexpr double endpoint_ratio = 1.5;
constexpr double endpoint_ms = 50;
constexpr double vital_ratio = 1.2;
constexpr double vital_ms = 100;
constexpr double vital_cls = 0.05;

double ratio_of(const speed_change& c) {
  const auto [low, high] = std::minmax(c.before, c.since);
  return low > 0 ? high / low : high;
}

bool is_apart(const speed_change& c, double ratio, double distance) {
  return std::abs(c.since - c.before) >= distance && ratio_of(c) >= ratio;
}

std::vector<speed_change> largest_first(std::vector<speed_change> changes) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& a, const auto& b) { return ratio_of(a) > ratio_of(b); });
  return changes;
}

/// Of which page, without query and fragment.
using metric_of_page = std::pair<std::string_view, page_metric>;

/// The id of a page load, or the number of a report that has none.
using load_id = std::pair<std::string_view, std::uint64_t>;

using values_by_load = std::map<load_id, double>;

/// One value a page load: a later report of the same load replaces the earlier one. All names are
/// views into the events.
std::map<metric_of_page, values_by_load> vitals_in(event_span events) {
  std::map<metric_of_page, values_by_load> out;
  for (const auto* told : events) {
    const auto& e = *told;
    if (!e.metrics)
      continue;
    const load_id load{e.name.view(), e.name.empty() ? e.sequence : 0};
    for (const auto& [metric, name] : enum_table<page_metric>::rows)
      if (const auto& value = (*e.metrics)[metric])
        out[{page_key(e.url.view()), metric}][load] = *value;
  }
  return out;
}

std::vector<double> values_of(const values_by_load& loads) {
  std::vector<double> out;
  for (const auto& [load, value] : loads)
    out.push_back(value);
  return out;
}

} // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

std::vector<speed_change> changed_endpoints(event_span before, event_span since) {
  request_wording wording;
  const auto old = durations_in(before, wording);
  std::vector<speed_change> out;
  for (const auto& [words, durations] : durations_in(since, wording)) {
    const auto known = old.find(words);
    if (known == old.end() || durations.size() < least_samples ||
        known->second.size() < least_samples)
      continue;
    speed_change change{words, median(known->second), median(durations), known->second.size(),
                        durations.size()};
    if (is_apart(change, endpoint_ratio, endpoint_ms))
      out.push_back(std::move(change));
  }
  return largest_first(std::move(out));
}

std::vector<speed_change> changed_vitals(event_span before, event_span since) {
  const auto old = vitals_in(before);
  std::vector<speed_change> out;
  for (const auto& [key, loads] : vitals_in(since)) {
    const auto known = old.find(key);
    if (known == old.end())
      continue;
    const auto [page, metric] = key;
    speed_change change{std::string{name_of(metric)} + " of " + std::string{page},
                        median(values_of(known->second)), median(values_of(loads)),
                        known->second.size(), loads.size()};
    if (is_apart(change, vital_ratio, metric == page_metric::cls ? vital_cls : vital_ms))
      out.push_back(std::move(change));
  }
  return largest_first(std::move(out));
}

std::map<std::string, std::map<page_metric, std::vector<double>>>
vitals_by_page(event_span events) {
  std::map<std::string, std::map<page_metric, std::vector<double>>> out;
  for (const auto& [key, loads] : vitals_in(events))
    out[std::string{key.first}][key.second] = values_of(loads);
  return out;
}

} // namespace gasoline

#include "actors/mcp_tools/analyze/modes/speed_diff.hpp"

#include "actors/base/page_key.hpp"
#include "actors/base/text_hash.hpp"
#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
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

/// One page load, in views into the events.
struct page_load {
  std::string_view page; ///< without query and fragment
  std::string_view id;
  std::uint64_t report = 0; ///< the number of a report that has no id

  friend bool operator==(const page_load&, const page_load&) = default;
};

struct page_load_hash {
  std::size_t operator()(const page_load& load) const {
    return hash_with(hash_with(hash_with(0, load.page), load.id), load.report);
  }
};

/// The values of each metric, one for each load of a page.
using loads_values = std::array<std::vector<double>, page_metric_count>;

/// What the reports of one load told.
struct reported_load {
  const page_metrics* first = nullptr;
  std::vector<const page_metrics*> later; ///< in their order; most loads have none
};

page_metrics last_values(const reported_load& load) {
  auto out = *load.first;
  for (const auto* report : load.later)
    for (std::size_t i = 0; i < page_metric_count; ++i)
      if (report->values[i])
        out.values[i] = report->values[i];
  return out;
}

void add_values(loads_values& out, const page_metrics& load) {
  for (std::size_t i = 0; i < page_metric_count; ++i)
    if (load.values[i])
      out[i].push_back(*load.values[i]);
}

/// By page. One value a page load: a later report of the same load replaces the earlier one. All
/// names are views into the events.
std::map<std::string_view, loads_values> vitals_in(event_span events) {
  std::unordered_map<page_load, reported_load, page_load_hash> loads;
  for (const auto* told : events) {
    const auto& e = *told;
    // Pages tell of loads; to look at what others have measured is to wait for their memory.
    const bool may_measure = e.kind == telemetry_kind::load || e.origin != event_origin::page;
    if (!may_measure || !e.metrics)
      continue;
    const page_load load{page_key(e.url.view()), e.name.view(), e.name.empty() ? e.sequence : 0};
    auto& known = loads[load];
    if (known.first == nullptr)
      known.first = e.metrics.get();
    else
      known.later.push_back(e.metrics.get());
  }
  std::map<std::string_view, loads_values> out;
  for (const auto& [load, reports] : loads)
    if (reports.later.empty())
      add_values(out[load.page], *reports.first);
    else
      add_values(out[load.page], last_values(reports));
  return out;
}

/// How a metric of one page changed; nothing where one side has none.
std::optional<speed_change> vital_change(std::string_view page, page_metric metric,
                                         const loads_values& before, const loads_values& since) {
  const auto& old = before[static_cast<std::size_t>(metric)];
  const auto& now = since[static_cast<std::size_t>(metric)];
  if (old.empty() || now.empty())
    return std::nullopt;
  return speed_change{std::string{name_of(metric)} + " of " + std::string{page}, median(old),
                      median(now), old.size(), now.size()};
}

} // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<speed_change> changed_endpoints(event_span before, event_span since) {
  request_wording wording;
  const auto old = durations_in(before, wording);
  const auto now = durations_in(since, wording);
  std::vector<speed_change> out;
  for (std::size_t i = 0; i < std::min(old.size(), now.size()); ++i) {
    if (old[i].size() < least_samples || now[i].size() < least_samples)
      continue;
    speed_change change{{}, median(old[i]), median(now[i]), old[i].size(), now[i].size()};
    if (!is_apart(change, endpoint_ratio, endpoint_ms))
      continue;
    change.what = wording.endpoints()[i];
    out.push_back(std::move(change));
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.what < b.what; });
  return largest_first(std::move(out));
}

std::vector<speed_change> changed_vitals(event_span before, event_span since) {
  const auto old = vitals_in(before);
  std::vector<speed_change> out;
  for (const auto& [page, values] : vitals_in(since)) {
    const auto known = old.find(page);
    if (known == old.end())
      continue;
    for (const auto& [metric, name] : enum_table<page_metric>::rows)
      if (auto change = vital_change(page, metric, known->second, values);
          change &&
          is_apart(*change, vital_ratio, metric == page_metric::cls ? vital_cls : vital_ms))
        out.push_back(std::move(*change));
  }
  return largest_first(std::move(out));
}

std::map<std::string, std::map<page_metric, std::vector<double>>>
vitals_by_page(event_span events) {
  std::map<std::string, std::map<page_metric, std::vector<double>>> out;
  for (auto& [page, values] : vitals_in(events))
    for (const auto& [metric, name] : enum_table<page_metric>::rows)
      if (auto& known = values[static_cast<std::size_t>(metric)]; !known.empty())
        out[std::string{page}][metric] = std::move(known);
  return out;
}

} // namespace gasoline

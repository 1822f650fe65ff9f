#include "actors/detection/performance_monitor.hpp"

#include "actors/alerts/batch_alerts.hpp"
#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"
#include "actors/base/redacted_part.hpp"
#include "actors/detection/fault_key.hpp"
#include "actors/detection/url_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gasoline {
namespace {

using performance_monitor_pointer =
    performance_monitor_actor::stateful_pointer<performance_monitor_state>;

/// The page that a measurement belongs to.
struct measured_page {
  redacted_text address; ///< origin + path
  redacted_text path;    ///< for titles
  redacted_text url;     ///< as reported
};

// Older senders report the path alone; the page's own URL then tells the origin.
measured_page measured_page_of(const event& e) {
  measured_page out;
  const bool relative = take_apart(e.url.view()).host.empty() && !e.page.empty();
  out.url = e.url.empty() || relative ? e.page : e.url;
  const auto pieces = take_apart(out.url.view());
  if (pieces.path.empty())
    out.path = literal{"/"};
  else
    out.path = part_of(out.url, pieces.path);
  out.address = redacted(part_of(out.url, pieces.origin), out.path);
  return out;
}

literal title_name(page_metric metric) {
  switch (metric) {
  case page_metric::lcp:
    return "LCP";
  case page_metric::fcp:
    return "FCP";
  case page_metric::inp:
    return "INP";
  case page_metric::ttfb:
    return "TTFB";
  case page_metric::load:
    return "Page load";
  case page_metric::cls:
    return "CLS";
  }
  return "Metric";
}

literal key_name(page_metric metric) {
  switch (metric) {
  case page_metric::lcp:
    return "lcp";
  case page_metric::fcp:
    return "fcp";
  case page_metric::inp:
    return "inp";
  case page_metric::ttfb:
    return "ttfb";
  case page_metric::load:
    return "load";
  case page_metric::cls:
    return "cls";
  }
  return "metric";
}

literal unit_of(page_metric metric) {
  if (metric == page_metric::cls)
    return "";
  return " ms";
}

// Milliseconds without decimals, unless they are few.
redacted_text shown(page_metric metric, double value) {
  constexpr double few_ms = 10;
  constexpr double most = 1e12;
  value = std::min(value, most);
  if (metric != page_metric::cls)
    value = value < few_ms ? std::round(value * 10) / 10 : std::round(value);
  redacted_text out;
  out.append_decimal(value);
  return out;
}

alert page_alert(const measured_page& page, alert_category category, severity level,
                 const limits& limit) {
  alert a;
  a.category = category;
  a.kind = alert_topic::performance;
  a.level = level;
  a.page_data = true;
  a.source = literal{"performance_monitor"};
  a.url = page.url.shortened(limit.alert.url_bytes);
  a.next = literal{R"(observe {"what":"performance"})"};
  return a;
}

redacted_text page_key(literal kind, const measured_page& page, page_metric metric,
                       const limits& limit) {
  constexpr std::size_t around = 24; // kind, metric and colons
  const auto room = limit.alert.key_bytes > around ? limit.alert.key_bytes - around : 0;
  return redacted(kind, literal{":"}, target_key(page.address, room), literal{":"},
                  key_name(metric))
      .shortened(limit.alert.key_bytes);
}

alert regression_alert(const measured_page& page, const regression& r, const limits& limit) {
  auto a = page_alert(page, alert_category::regression, r.level, limit);
  const auto unit = unit_of(r.metric);
  const auto from = shown(r.metric, r.baseline);
  const auto to = shown(r.metric, r.value);
  a.title = redacted(title_name(r.metric), literal{" regressed by "},
                     shown(r.metric, r.value - r.baseline), unit, literal{" ("}, from,
                     literal{" -> "}, to, unit, literal{") on "}, page.path)
                .shortened(limit.alert.title_bytes);
  if (r.baseline > 0) {
    a.detail += shown(page_metric::load, (r.value / r.baseline - 1) * 100);
    a.detail += " % worse than ";
  } else {
    a.detail += "Worse than ";
  }
  a.detail += redacted(literal{"the baseline of "}, from, unit, literal{"; page "}, page.address);
  a.detail = a.detail.shortened(limit.alert.detail_bytes);
  a.dedup_key = page_key(literal{"regression"}, page, r.metric, limit);
  return a;
}

alert budget_alert(const measured_page& page, const compiled_budget& budget, double value,
                   const limits& limit) {
  auto a = page_alert(page, alert_category::threshold, severity::warning, limit);
  const auto unit = unit_of(budget.metric);
  a.title = redacted(title_name(budget.metric), literal{" "}, shown(budget.metric, value), unit,
                     literal{" is over the budget of "}, shown(budget.metric, budget.limit), unit,
                     literal{" on "}, page.path)
                .shortened(limit.alert.title_bytes);
  a.detail = redacted(literal{"The budget is set in the configuration file; page "}, page.address)
                 .shortened(limit.alert.detail_bytes);
  a.dedup_key = page_key(literal{"budget"}, page, budget.metric, limit);
  return a;
}

void take_regressions(performance_monitor_state& state, batch_alerts& fold, const event& e,
                      const measured_page& page) {
  for (const auto& r : state.baseline.add(page.address.str(), e.name.view(), *e.metrics)) {
    ++state.regressions;
    fold.add(regression_alert(page, r, state.limit));
  }
}

void take_budgets(performance_monitor_state& state, batch_alerts& fold, const event& e,
                  const measured_page& page) {
  for (const auto& budget : state.budgets) {
    const auto& value = (*e.metrics)[budget.metric];
    if (!value || !std::isfinite(*value) || *value <= budget.limit ||
        !re2::RE2::PartialMatch(page.address.str(), *budget.page))
      continue;
    ++state.over_budget;
    fold.add(budget_alert(page, budget, *value, state.limit));
  }
}

void take_batch(performance_monitor_state& state, const event_batch& batch, mono_time now) {
  batch_alerts fold{state.limit.push.pending + 1};
  for (const auto& e : batch.events) {
    if (e->source != event_source::performance || !e->metrics)
      continue;
    ++state.samples;
    const auto page = measured_page_of(*e);
    take_regressions(state, fold, *e, page);
    take_budgets(state, fold, *e, page);
  }
  raise_alerts(state.hub, state.clock, fold.take(), now, batch.ticket);
  state.dropped += fold.dropped();
}

std::vector<compiled_budget> compiled(const std::vector<performance_budget>& budgets) {
  std::vector<compiled_budget> out;
  for (const auto& b : budgets)
    if (const auto metric = parse_name<page_metric>(b.metric))
      out.push_back(
          {*metric, std::make_unique<re2::RE2>(b.page_pattern, re2::RE2::Quiet), b.limit});
  return out;
}

health_part health(const performance_monitor_state& state) {
  return std::make_shared<const nlohmann::json>(nlohmann::json{
      {"performance",
       {{"samples", state.samples},
        {"pages", state.baseline.pages()},
        {"regressions", state.regressions},
        {"over_budget", state.over_budget}}},
      {"dropped", {{"performance_alerts_beyond_batch_cap", state.dropped}}},
  });
}

} // namespace

performance_monitor_actor::behavior_type
performance_monitor(performance_monitor_pointer self, alert_hub_actor hub, wall_clock clock,
                    const std::vector<performance_budget>& budgets, limits limit) {
  auto& state = self->state;
  state.hub = std::move(hub);
  state.clock = std::move(clock);
  state.limit = limit;
  state.baseline = page_baseline{limit};
  state.budgets = compiled(budgets);
  guard_exceptions(self);
  return {
      [self](health_atom) { return health(self->state); },
      [self](batch_atom, const event_batch_ptr& batch) {
        take_batch(self->state, *batch, self->clock().now());
      },
  };
}

} // namespace gasoline

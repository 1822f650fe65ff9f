#include "actors/detection/performance_monitor.hpp"

#include "actors/alerts/batch_alerts.hpp"
#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"
#include "actors/base/redacted_part.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gasoline {
namespace {

using performance_monitor_pointer =
    performance_monitor_actor::stateful_pointer<performance_monitor_state>;

/// The page, or the route of a service, that a measurement belongs to.
struct measured_page {
  redacted_text address; ///< origin + path
  redacted_text path;    ///< for titles
  redacted_text url;     ///< as reported
  bool is_route = false;
};

// `checkout-api GET /orders/:id`: a service may answer under any number of addresses.
measured_page measured_route_of(const event& e) {
  measured_page out;
  out.is_route = true;
  out.url = e.url;
  out.path = e.service;
  if (!out.path.empty())
    out.path += " ";
  if (!e.name.empty())
    out.path += redacted(e.name, literal{" "});
  const auto route = field_text(e.fields, "route");
  out.path += route.empty() ? part_of(e.url, take_apart(e.url.view()).path) : route;
  out.address = out.path;
  return out;
}

// Older senders report the path alone; the page's own URL then tells the origin.
measured_page measured_page_of(const event& e) {
  if (e.kind == telemetry_kind::request)
    return measured_route_of(e);
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

// The metrics of a load depend on one another: whichever of them leads, it is one fault.
literal family_of(page_metric metric) {
  if (metric == page_metric::inp)
    return "inp";
  if (metric == page_metric::cls)
    return "cls";
  if (metric == page_metric::response)
    return "response";
  return "load";
}

literal compared_with(navigation_kind kind) {
  switch (kind) {
  case navigation_kind::load:
    return "";
  case navigation_kind::soft:
    return " of soft navigations";
  case navigation_kind::prerendered:
    return " of prerendered loads";
  }
  return "";
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
  case page_metric::response:
    return "Response time";
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
  case page_metric::response:
    return "response";
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

alert page_alert(const measured_page& page, alert_category category, severity level) {
  alert a;
  a.category = category;
  a.kind = alert_topic::performance;
  a.level = level;
  a.page_data = true;
  a.source = literal{"performance_monitor"};
  a.url = page.url;
  a.next = literal{R"(observe {"what":"performance"})"};
  return a;
}

redacted_text page_key(literal kind, const measured_page& page, literal metric,
                       const limits_of<alert_room, detection_room, push_room>& limit) {
  constexpr std::size_t around = 32; // kind, metric and colons
  const auto room = limit.alert.key_bytes > around ? limit.alert.key_bytes - around : 0;
  return redacted(kind, literal{":"}, target_key(page.address, room), literal{":"}, metric)
      .shortened(limit.alert.key_bytes);
}

// `LCP regressed by 900 ms (2000 -> 2900 ms)`
redacted_text regression_words(const regression& r) {
  const auto unit = unit_of(r.metric);
  return redacted(title_name(r.metric), literal{" regressed by "},
                  shown(r.metric, r.value - r.baseline), unit, literal{" ("},
                  shown(r.metric, r.baseline), literal{" -> "}, shown(r.metric, r.value), unit,
                  literal{")"});
}

redacted_text regression_detail(const measured_page& page, const regression& r,
                                navigation_kind kind) {
  redacted_text detail;
  if (r.baseline > 0) {
    detail += shown(page_metric::load, (r.value / r.baseline - 1) * 100);
    detail += " % worse than ";
  } else {
    detail += "Worse than ";
  }
  detail += redacted(literal{"the baseline of "}, shown(r.metric, r.baseline), unit_of(r.metric),
                     compared_with(kind), page.is_route ? literal{"; route "} : literal{"; page "},
                     page.address);
  if (r.level == severity::info)
    detail += page.is_route
                  ? literal{"\nOne such answer may be chance; a second in a row is told as a "
                            "regression."}
                  : literal{"\nOne such load may be chance; a second in a row is told as a "
                            "regression."};
  return detail;
}

// The first of `found` leads, the others are its evidence.
alert regression_alert(const measured_page& page, const load_verdict& verdict, navigation_kind kind,
                       const limits_of<alert_room, detection_room, push_room>& limit) {
  const auto& lead = verdict.found.front();
  auto a = page_alert(page, alert_category::regression, lead.level);
  a.dedup_key = page_key(literal{"regression"}, page, family_of(lead.metric), limit);
  if (kind != navigation_kind::load)
    a.dedup_key += redacted(literal{":"}, kind == navigation_kind::soft ? literal{"soft"}
                                                                        : literal{"prerendered"});
  a.update = verdict.told_before;
  for (const auto& r : verdict.found) {
    a.level = std::max(a.level, r.level);
    if (&r != &lead || a.update)
      a.also.push_back(regression_words(r));
  }
  if (a.update)
    return a;
  a.title = redacted(regression_words(lead), literal{" on "}, page.path)
                .shortened(limit.alert.title_bytes);
  a.detail = regression_detail(page, lead, kind).shortened(limit.alert.detail_bytes);
  return a;
}

alert budget_alert(const measured_page& page, const compiled_budget& budget, double value,
                   const limits_of<alert_room, detection_room, push_room>& limit) {
  auto a = page_alert(page, alert_category::threshold, severity::warning);
  const auto unit = unit_of(budget.metric);
  a.title = redacted(title_name(budget.metric), literal{" "}, shown(budget.metric, value), unit,
                     literal{" is over the budget of "}, shown(budget.metric, budget.limit), unit,
                     literal{" on "}, page.path)
                .shortened(limit.alert.title_bytes);
  a.detail = redacted(literal{"The budget is set in the configuration file; page "}, page.address)
                 .shortened(limit.alert.detail_bytes);
  a.dedup_key = page_key(literal{"budget"}, page, key_name(budget.metric), limit);
  return a;
}

void take_regressions(performance_monitor_state& state, batch_alerts& fold, const event& e,
                      const measured_page& page) {
  const auto verdict = state.baseline.add(
      page.address.str(), page.is_route ? std::string_view{} : e.name.view(), *e.metrics);
  if (verdict.found.empty())
    return;
  state.regressions += verdict.found.size();
  fold.add(regression_alert(page, verdict, e.metrics->kind, state.limit));
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
    if (!e->metrics)
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
                    const std::vector<performance_budget>& budgets,
                    limits_of<alert_room, detection_room, push_room> limit) {
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

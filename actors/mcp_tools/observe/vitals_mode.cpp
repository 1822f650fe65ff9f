#include "actors/mcp_tools/observe/vitals_mode.hpp"

#include "actors/base/page_key.hpp"
#include "actors/mcp_tools/observe/answer/answer_builder.hpp"
#include "actors/mcp_tools/observe/vital_rating.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/telemetry/event_json.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

/// One item a page load: the latest value of each metric, rated.
std::string vitals_summary(const observe_call& call, const store_page& page) {
  std::vector<std::pair<const event*, page_metrics>> loads; // newest first
  std::map<std::string, std::size_t> by_load;
  for (const auto& g : page.groups) {
    const auto& e = *g.newest;
    if (!e.metrics || !e.metrics->any())
      continue;
    const auto key = e.name.empty() ? std::to_string(e.sequence)
                                    : e.name.str() + "\n" + std::string{page_key(e.url.view())};
    const auto [known, added] = by_load.emplace(key, loads.size());
    if (added)
      loads.emplace_back(&e, page_metrics{});
    auto& metrics = loads[known->second].second;
    for (std::size_t i = 0; i < page_metric_count; ++i)
      if (!metrics.values[i])
        metrics.values[i] = e.metrics->values[i];
  }
  answer_builder answer{call};
  for (const auto& [e, metrics] : loads) {
    std::string item;
    json_object_writer w{item};
    w.text("url", e->url.view()).text("ts", to_iso8601(e->at));
    w.text("navigation_type", name_of(e->metrics->kind));
    for (const auto& [metric, name] : enum_table<page_metric>::rows) {
      if (!metrics[metric])
        continue;
      std::string rated;
      json_object_writer value{rated};
      value.decimal("value", *metrics[metric])
          .text("rating", vital_rating(metric, *metrics[metric]));
      value.close();
      w.raw(name, rated);
    }
    w.close();
    if (!answer.add(std::move(item)))
      break;
  }
  if (loads.empty())
    return answer.finish(empty_sentence(call, page), 0, 0, 0);
  return answer.finish(counted(loads.size(), call.subject) +
                           ", newest first; milliseconds, CLS as a score. " +
                           std::string{outside_text_label},
                       loads.size(), page.next_cursor, 0);
}

} // namespace

store_view vitals_view() {
  return {{"vitals", "page load with vitals", "page loads with vitals",
           "Vitals arrive about 2 s after a page load and when the page is left."},
          "web vitals of each page load, rated",
          queried_events::performance,
          vitals_summary};
}

} // namespace gasoline

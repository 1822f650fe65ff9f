#include "actors/mcp_tools/observe/page_mode.hpp"

#include "actors/base/page_key.hpp"
#include "actors/mcp_tools/observe/answer/answer_builder.hpp"
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

struct page_summary {
  wall_time last_at{};
  std::uint64_t events = 0;
  std::uint64_t errors = 0;
  std::uint64_t failed_requests = 0;
  std::shared_ptr<const page_metrics> metrics;
};

std::string pages_summary(const observe_call& call, const store_page& page) {
  std::map<std::string, page_summary> by_page;
  for (const auto& g : page.groups) {
    const auto& e = *g.newest;
    const bool request = e.kind == telemetry_kind::body || e.kind == telemetry_kind::request ||
                         e.kind == telemetry_kind::socket;
    const auto& url = e.page.empty() && !request ? e.url : e.page;
    if (url.empty())
      continue;
    auto& summary = by_page[std::string{page_key(url.view())}];
    summary.last_at = std::max(summary.last_at, e.at);
    summary.events += g.count;
    summary.errors += e.kind == telemetry_kind::log && e.level == log_level::error ? g.count : 0;
    summary.failed_requests += is_failed_request(e) ? g.count : 0;
    if (!summary.metrics && e.metrics)
      summary.metrics = e.metrics;
  }
  std::vector<std::pair<std::string, page_summary>> pages{by_page.begin(), by_page.end()};
  std::sort(pages.begin(), pages.end(),
            [](const auto& a, const auto& b) { return a.second.last_at > b.second.last_at; });
  answer_builder answer{call};
  for (const auto& [url, summary] : pages) {
    std::string item;
    json_object_writer w{item};
    w.text("url", url).text("last_seen", to_iso8601(summary.last_at));
    w.number("events", summary.events).number("errors", summary.errors);
    w.number("failed_requests", summary.failed_requests);
    for (const auto& [metric, name] : enum_table<page_metric>::rows)
      if (summary.metrics && (*summary.metrics)[metric])
        w.decimal(name, *(*summary.metrics)[metric]);
    w.close();
    if (!answer.add(std::move(item)))
      break;
  }
  if (pages.empty())
    return answer.finish(empty_sentence(call, page), 0, 0, page.noise_hidden);
  return answer.finish(counted(pages.size(), call.subject) + ", the one seen last first. " +
                           std::string{outside_text_label},
                       pages.size(), 0, 0);
}

} // namespace

store_view page_view() {
  return {{"page", "page", "pages", "Open a page that carries the page script."},
          "the pages that were seen, with their errors and vitals",
          queried_events::all,
          pages_summary};
}

} // namespace gasoline

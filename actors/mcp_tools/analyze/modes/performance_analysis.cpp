#include "actors/mcp_tools/analyze/modes/performance_analysis.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/rare_fields.hpp"
#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"
#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"
#include "actors/mcp_tools/analyze/modes/speed_diff.hpp"
#include "actors/mcp_tools/observe/vital_rating.hpp"
#include "actors/resolution/deed_words.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t requests_listed = 8;

std::string metric_json(page_metric metric, const std::vector<double>& values) {
  const auto value = median(values);
  std::string out;
  json_object_writer w{out};
  w.decimal("median", value).text("rating", vital_rating(metric, value));
  w.number("loads", std::uint64_t{values.size()});
  w.close();
  return out;
}

std::string page_json(const std::string& page,
                      const std::map<page_metric, std::vector<double>>& metrics) {
  std::string out;
  json_object_writer w{out};
  w.text("page", page);
  for (const auto& [metric, values] : metrics)
    w.raw(name_of(metric), metric_json(metric, values));
  w.close();
  return out;
}

/// What the requests of one endpoint cost.
struct costly_request {
  std::string_view words;
  double ms = 0;    ///< the most that one waited
  double bytes = 0; ///< the most that one transferred
  std::uint64_t count = 0;
};

double transfer_bytes(const event& e) {
  if (!may_have_field(e.fields.view(), R"(ze":)"))
    return 0;
  const auto text = field_json(e.fields.view(), "transfer_size");
  double out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

/// By endpoint; `wording` must outlive them.
std::vector<costly_request> costs_in(event_span events, request_wording& wording) {
  std::vector<costly_request> out;
  for (const auto* told : events) {
    const auto& asked = wording.numbered(*told);
    if (asked.words.empty())
      continue;
    if (asked.endpoint >= out.size())
      out.resize(asked.endpoint + 1);
    auto& row = out[asked.endpoint];
    row.words = asked.words;
    row.ms = std::max(row.ms, told->duration_ms);
    row.bytes = std::max(row.bytes, transfer_bytes(*told));
  }
  for (const auto* request : requests_once(events, wording))
    out[wording.numbered(*request).endpoint].count += request->count;
  return out;
}

/// Those that cost most by that measure, the dearest first; of those that cost the same, in the
/// order of their words.
std::vector<const costly_request*> dearest(const std::vector<costly_request>& all,
                                           double costly_request::*measure) {
  std::vector<const costly_request*> out;
  for (const auto& row : all)
    if (row.*measure > 0)
      out.push_back(&row);
  const auto shown = std::min(out.size(), requests_listed);
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(shown), out.end(),
                    [&](const auto* x, const auto* y) {
                      return x->*measure != y->*measure ? x->*measure > y->*measure
                                                        : x->words < y->words;
                    });
  out.resize(shown);
  return out;
}

std::string request_item(const costly_request& r, std::string_view measure, double cost) {
  std::string out;
  json_object_writer w{out};
  w.text("request", r.words).decimal(measure, cost).number("count", r.count);
  w.close();
  return out;
}

std::string change_item(const speed_change& c) {
  std::string out;
  json_object_writer w{out};
  w.text("what", c.what).decimal("before", c.before).decimal("since", c.since);
  w.text("verdict", c.is_worse() ? "worse" : "better");
  w.raw("samples",
        "[" + std::to_string(c.samples_before) + "," + std::to_string(c.samples_since) + "]");
  w.close();
  return out;
}

std::string performance_answer(const analysis_input& input) {
  const auto pages = vitals_by_page(input.events);
  request_wording wording;
  const auto requests = costs_in(input.events, wording);
  const auto slow = dearest(requests, &costly_request::ms);
  const auto large = dearest(requests, &costly_request::bytes);
  const auto changes = changed_vitals(input.earlier, input.events);
  const auto where = input.since ? " since " + input.since->words : std::string{};
  analysis_answer out{input.call};
  out.list("changed", changes.size(), [&](std::size_t i) { return change_item(changes[i]); });
  std::vector<std::string> items;
  for (const auto& [page, metrics] : pages)
    items.push_back(page_json(page, metrics));
  out.list("pages", items.size(), [&](std::size_t i) { return items[i]; });
  out.list("slowest", slow.size(),
           [&](std::size_t i) { return request_item(*slow[i], "ms", slow[i]->ms); });
  out.list("largest", large.size(),
           [&](std::size_t i) { return request_item(*large[i], "bytes", large[i]->bytes); });
  return out.finish(counted_words(pages.size(), "page", "pages") + " measured" + where +
                    ", the median of each metric; milliseconds, CLS as a score." + input.remark +
                    ' ' + std::string{outside_text_label});
}

} // namespace

analysis performance_analysis() {
  return {"performance", "vitals of each page, what changed, slowest and largest requests",
          usual_beginning::everything, performance_answer};
}

} // namespace gasoline

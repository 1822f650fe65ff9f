#include "actors/mcp_tools/analyze/modes/performance_analysis.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"
#include "actors/mcp_tools/analyze/modes/speed_diff.hpp"
#include "actors/mcp_tools/observe/vital_rating.hpp"
#include "actors/resolution/deed_words.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
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

/// What one request cost, by one measure.
struct costly_request {
  std::string words;
  double cost = 0;
  std::uint64_t count = 0;
};

double transfer_bytes(const event& e) {
  const auto text = field_json(e.fields.view(), "transfer_size");
  double out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

double waiting_ms(const event& e) {
  return e.duration_ms;
}

/// The dearest requests by that measure, those of one endpoint as one; the dearest first.
std::vector<costly_request> dearest(event_span events, double (*cost)(const event& e)) {
  std::map<std::string_view, costly_request> by_words;
  std::unordered_map<const std::string*, costly_request*> rows; // of each address, looked up once
  request_wording wording;
  for (const auto* told : events) {
    const auto& words = wording.of(*told);
    if (words.empty())
      continue;
    auto*& found = rows[&words];
    if (!found)
      found = &by_words[words];
    auto& row = *found;
    if (row.words.empty())
      row.words = words;
    row.cost = std::max(row.cost, cost(*told));
    row.count += told->count;
  }
  std::vector<costly_request> out;
  for (auto& [words, row] : by_words)
    if (row.cost > 0)
      out.push_back(std::move(row));
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& x, const auto& y) { return x.cost > y.cost; });
  if (out.size() > requests_listed)
    out.resize(requests_listed);
  return out;
}

std::string request_item(const costly_request& r, std::string_view measure) {
  std::string out;
  json_object_writer w{out};
  w.text("request", r.words).decimal(measure, r.cost).number("count", r.count);
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
  const auto slow = dearest(input.events, waiting_ms);
  const auto large = dearest(input.events, transfer_bytes);
  const auto changes = changed_vitals(input.earlier, input.events);
  const auto where = input.since ? " since " + input.since->words : std::string{};
  analysis_answer out{input.call};
  out.list("changed", changes.size(), [&](std::size_t i) { return change_item(changes[i]); });
  std::vector<std::string> items;
  for (const auto& [page, metrics] : pages)
    items.push_back(page_json(page, metrics));
  out.list("pages", items.size(), [&](std::size_t i) { return items[i]; });
  out.list("slowest", slow.size(), [&](std::size_t i) { return request_item(slow[i], "ms"); });
  out.list("largest", large.size(), [&](std::size_t i) { return request_item(large[i], "bytes"); });
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

#include "actors/mcp_tools/analyze/modes/api_analysis.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"
#include "actors/mcp_tools/analyze/analysis/answer_shapes.hpp"
#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace gasoline {
namespace {

/// So many requests within a second are worth a remark.
constexpr std::uint64_t least_burst = 5;
constexpr std::uint64_t least_repeat = 3;

constexpr double middle = 0.5;
constexpr double slowest = 0.95;

std::string statuses_json(const endpoint& e) {
  std::string out;
  json_object_writer w{out};
  for (const auto& [status, count] : e.statuses)
    w.number(status == 0 ? "no answer" : std::to_string(status), count);
  w.close();
  return out;
}

/// What it answers, in short, and how that differs from before.
void write_shape(json_object_writer& w, const answer_shapes& shapes) {
  constexpr std::size_t shown_bytes = 240;
  constexpr std::size_t shown_changes = 8;
  std::string shape;
  for (const char c : shapes.now.typescript()) // on one line
    if (c != '\n' && !(c == ' ' && !shape.empty() && shape.back() == ' '))
      shape += c;
  w.text("shape", utf8_shortened(shape, shown_bytes));
  if (shapes.before.empty())
    return;
  std::string changes;
  for (const auto& line : shapes.now.changes_since(shapes.before, shown_changes)) {
    changes += changes.empty() ? '[' : ',';
    append_json_string(changes, line);
  }
  if (!changes.empty())
    w.raw("shape_changed", changes + ']');
}

/// One endpoint on its way into the list.
struct listed_endpoint {
  const endpoint* known = nullptr;
  const answer_shapes* shapes = nullptr; ///< null: no answer was looked into
  std::uint64_t failures = 0;
};

std::string endpoint_item(const listed_endpoint& listed) {
  const auto& e = *listed.known;
  std::string out;
  json_object_writer w{out};
  w.text("endpoint", e.words).number("count", e.count).raw("statuses", statuses_json(e));
  if (const auto p50 = duration_at(e, middle))
    w.decimal("p50_ms", *p50).decimal("p95_ms", *duration_at(e, slowest));
  if (e.burst >= least_burst)
    w.text("n_plus_1", std::to_string(e.burst) + " different ids within 1 s: ask for them at once");
  if (e.repeat >= least_repeat)
    w.text("duplicates", "the same request " + std::to_string(e.repeat) + " times within 1 s");
  if (listed.shapes != nullptr && !listed.shapes->now.empty())
    write_shape(w, *listed.shapes);
  w.close();
  return out;
}

/// What fails first, then what is asked most; those that are alike in the order of their words. At
/// most so many.
void put_first(std::vector<listed_endpoint>& rows, std::uint64_t most) {
  const auto shown = std::min<std::uint64_t>(most, rows.size());
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown), rows.end(),
                    [](const listed_endpoint& a, const listed_endpoint& b) {
                      if (a.failures != b.failures)
                        return a.failures > b.failures;
                      return a.known->count != b.known->count ? a.known->count > b.known->count
                                                              : a.known->words < b.known->words;
                    });
}

std::string api_answer(const analysis_input& input) {
  request_wording wording;
  const auto endpoints = endpoints_in(input.events, wording);
  const auto shapes = shapes_of(input.earlier, input.events, wording);
  std::vector<listed_endpoint> rows;
  rows.reserve(endpoints.size());
  for (const auto& known : endpoints) {
    const auto found = shapes.find(known.words);
    rows.push_back({&known, found == shapes.end() ? nullptr : &found->second, failures_of(known)});
  }
  put_first(rows, input.call.limit);
  const auto failing = std::count_if(rows.begin(), rows.end(),
                                     [](const listed_endpoint& row) { return row.failures > 0; });
  const auto where = input.since ? " since " + input.since->words : std::string{};
  analysis_answer out{input.call};
  if (rows.empty())
    return out.finish("No requests" + where + "." + input.remark);
  out.list("endpoints", rows.size(), [&](std::size_t i) { return endpoint_item(rows[i]); });
  return out.finish(counted_words(rows.size(), "endpoint", "endpoints") + where + ", " +
                    std::to_string(failing) + " with failures, those first." + input.remark + ' ' +
                    std::string{outside_text_label});
}

} // namespace

analysis api_analysis() {
  return {"api", "endpoints: counts, statuses, p50/p95, N+1, duplicates, shape and how it changed",
          usual_beginning::everything, api_answer};
}

} // namespace gasoline

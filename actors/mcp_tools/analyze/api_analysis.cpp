#include "actors/mcp_tools/analyze/api_analysis.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/mcp_tools/analyze/analysis_answer.hpp"
#include "actors/mcp_tools/analyze/endpoint_table.hpp"
#include "messages/base/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <tuple>
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

std::string endpoint_item(const std::string& words, const endpoint& e) {
  std::string out;
  json_object_writer w{out};
  w.text("endpoint", words).number("count", e.count).raw("statuses", statuses_json(e));
  if (const auto p50 = duration_at(e, middle))
    w.decimal("p50_ms", *p50).decimal("p95_ms", *duration_at(e, slowest));
  if (e.burst >= least_burst)
    w.text("n_plus_1", std::to_string(e.burst) + " different ids within 1 s: ask for them at once");
  if (e.repeat >= least_repeat)
    w.text("duplicates", "the same request " + std::to_string(e.repeat) + " times within 1 s");
  w.close();
  return out;
}

std::string api_answer(const analysis_input& input) {
  const auto endpoints = endpoints_in(input.events);
  std::vector<std::pair<std::string, const endpoint*>> rows;
  for (const auto& [words, e] : endpoints)
    rows.emplace_back(words, &e);
  // What fails first, then what is asked most.
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::tuple{failures_of(*b.second), b.second->count, a.first} <
           std::tuple{failures_of(*a.second), a.second->count, b.first};
  });
  const auto failing = std::count_if(rows.begin(), rows.end(),
                                     [](const auto& row) { return failures_of(*row.second) > 0; });
  const auto where = input.since ? " since " + input.since->words : std::string{};
  analysis_answer out{input.call};
  if (rows.empty())
    return out.finish("No requests" + where + "." + input.remark);
  out.list("endpoints", rows.size(),
           [&](std::size_t i) { return endpoint_item(rows[i].first, *rows[i].second); });
  return out.finish(counted_words(rows.size(), "endpoint", "endpoints") + where + ", " +
                    std::to_string(failing) + " with failures, those first." + input.remark + ' ' +
                    std::string{outside_text_label});
}

} // namespace

analysis api_analysis() {
  return {"api", "endpoints with counts, statuses, p50/p95, N+1 and duplicate calls",
          usual_beginning::everything, api_answer};
}

} // namespace gasoline

#include "actors/mcp_tools/analyze/analysis/answer_shapes.hpp"

#include "actors/mcp_tools/analyze/analysis/recorded_answer.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

/// Of one endpoint, the newest first.
using newest_answers = std::vector<nlohmann::json>;

/// By words.
std::map<std::string_view, newest_answers> newest_answers_in(event_span events,
                                                             request_wording& wording) {
  std::map<std::string_view, newest_answers> out;
  body_budget budget;
  for (auto told = events.rbegin(); told != events.rend(); ++told) {
    const auto& e = **told;
    if (e.kind != telemetry_kind::body || e.status < 200 || e.status >= 300)
      continue;
    const auto& asked = wording.numbered(e);
    if (!budget.may_take(asked.endpoint))
      continue;
    const auto bytes = whole_body_bytes(e);
    if (bytes == 0 || !budget.take(asked.endpoint, bytes))
      continue;
    if (auto body = shapeable_json(answer_body(e)))
      out[asked.words].push_back(std::move(*body));
  }
  return out;
}

} // namespace

std::map<std::string_view, answer_shapes> shapes_of(event_span earlier, event_span events,
                                                    request_wording& wording) {
  std::map<std::string_view, answer_shapes> out;
  const auto before = newest_answers_in(earlier, wording);
  for (const auto& [endpoint, answers] : newest_answers_in(events, wording)) {
    auto& shapes = out[endpoint];
    const auto known = before.find(endpoint);
    const bool splits = known == before.end() && earlier.empty();
    const auto now = splits ? (answers.size() + 1) / 2 : answers.size();
    for (std::size_t i = 0; i < answers.size(); ++i)
      (i < now ? shapes.now : shapes.before).add(answers[i]);
    if (known != before.end())
      for (const auto& answer : known->second)
        shapes.before.add(answer);
  }
  return out;
}

} // namespace gasoline

#include "actors/mcp_tools/analyze/analysis/answer_shapes.hpp"

#include "actors/mcp_tools/analyze/analysis/recorded_answer.hpp"
#include "actors/resolution/deed_words.hpp"

#include <cstddef>
#include <utility>

namespace gasoline {
namespace {

using answers_by_endpoint = std::map<std::string, std::vector<nlohmann::json>>;

/// The newest first.
answers_by_endpoint newest_answers(event_span events) {
  answers_by_endpoint out;
  request_wording wording;
  body_budget budget;
  for (auto told = events.rbegin(); told != events.rend(); ++told) {
    const auto& e = **told;
    if (e.kind != telemetry_kind::body || e.status < 200 || e.status >= 300)
      continue;
    const auto bytes = whole_body_bytes(e);
    const auto& endpoint = wording.of(e);
    if (bytes == 0 || !budget.take(endpoint, bytes))
      continue;
    if (auto body = shapeable_json(answer_body(e)))
      out[endpoint].push_back(std::move(*body));
  }
  return out;
}

} // namespace

std::map<std::string, answer_shapes> shapes_of(event_span earlier, event_span events) {
  std::map<std::string, answer_shapes> out;
  auto before = newest_answers(earlier);
  for (const auto& [endpoint, answers] : newest_answers(events)) {
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

#include "actors/mcp_tools/analyze/analysis/answer_shapes.hpp"

#include "actors/mcp_tools/analyze/analysis/recorded_answer.hpp"
#include "actors/resolution/deed_words.hpp"

#include <cstddef>
#include <utility>

namespace gasoline {
namespace {

using answers_by_endpoint = std::map<std::string, std::vector<nlohmann::json>>;

/// The newest first.
answers_by_endpoint newest_answers(const std::vector<event_group>& events) {
  answers_by_endpoint out;
  request_wording wording;
  body_budget budget;
  for (auto group = events.rbegin(); group != events.rend(); ++group) {
    const auto& e = *group->newest;
    if (e.kind != telemetry_kind::body || e.status < 200 || e.status >= 300 || !has_whole_body(e))
      continue;
    const auto text = answer_body(e);
    const auto& endpoint = wording.of(e);
    if (!budget.take(endpoint, text.size()))
      continue;
    if (auto body = shapeable_json(text))
      out[endpoint].push_back(std::move(*body));
  }
  return out;
}

} // namespace

std::map<std::string, answer_shapes> shapes_of(const std::vector<event_group>& earlier,
                                               const std::vector<event_group>& events) {
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

#include "actors/mcp_tools/generate/documents/answer_types.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/mcp_tools/analyze/analysis/json_shape.hpp"
#include "actors/mcp_tools/generate/generation/recorded_requests.hpp"
#include "actors/mcp_tools/generate/generation/script_text.hpp"
#include "actors/resolution/deed_words.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/letters.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

/// What an endpoint answered with one status.
struct answered {
  json_shape shape;
  std::size_t answers = 0;
};

/// By `GET /api/items/:id` and status.
using answer_table = std::map<std::pair<std::string, std::int32_t>, answered>;

constexpr std::string_view nothing_whole =
    "No whole JSON answer was recorded there. Pages send bodies of requests that fail or are slow, "
    "cut at 4 KB; a sender that posts response_body to /network-bodies gives more.";

answer_table answers_in(event_span steps, body_budget& budget) {
  answer_table out;
  request_wording wording;
  std::map<std::pair<std::size_t, std::int32_t>, std::size_t> numbers; // of endpoint and status
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const auto& e = **step;
    const auto bytes = whole_body_bytes(e);
    if (bytes == 0)
      continue;
    const auto& asked = wording.numbered(e);
    const auto kind = numbers.try_emplace({asked.endpoint, e.status}, numbers.size()).first;
    if (!budget.take(kind->second, bytes))
      continue;
    const auto body = shapeable_json(answer_body(e));
    if (!body)
      continue;
    auto& row = out[{std::string{asked.words}, e.status}];
    row.shape.add(*body);
    ++row.answers;
  }
  return out;
}

/// `GET /api/items/:id` with 200 as `GetApiItemsId200`.
std::string type_name(std::string_view words, std::int32_t status) {
  std::string out;
  bool begins = true;
  for (const char c : words) {
    if (!ascii::is_letter(c) && !ascii::is_digit(c)) {
      begins = true;
      continue;
    }
    // The rest of a method is written in capitals.
    out += begins ? ascii::upper(c) : ascii::lower(c);
    begins = false;
  }
  if (out.empty() || ascii::is_digit(out[0]))
    out.insert(0, "Answer");
  constexpr std::size_t longest = 80;
  return out.substr(0, longest) + std::to_string(status);
}

result_or<artifact> make_types(const generation_input& input) {
  body_budget budget;
  const auto answers = answers_in(input.steps, budget);
  if (answers.empty())
    return tl::unexpected(user_error{std::string{nothing_whole}});
  std::string text;
  std::map<std::string, int> names;
  std::size_t listed = 0;
  for (const auto& [key, row] : answers) {
    auto name = type_name(key.first, key.second);
    if (const auto again = names[name]++; again > 0)
      name += '_' + std::to_string(again + 1);
    auto part = "// " + script_string(key.first) + ", status " + std::to_string(key.second) + ", " +
                counted_words(row.answers, "answer", "answers") + "\n";
    part += "export type " + name + " = " + row.shape.typescript() + ";\n";
    part += "export const " + name + "Schema = " + row.shape.schema() + " as const;\n\n";
    if (text.size() + part.size() > input.room)
      break;
    text += part;
    ++listed;
  }
  auto sentence = "Types and JSON Schema of " +
                  counted_words(listed, "kind of answer", "kinds of answers") + ".";
  if (budget.passed_over() > 0)
    sentence += ' ' + std::to_string(budget.passed_over()) +
                " older answers were not looked into; url chooses an endpoint.";
  if (listed < answers.size())
    sentence += ' ' + std::to_string(answers.size() - listed) +
                " are left out; a path, a larger max_bytes or url takes them.";
  return artifact{std::move(text), std::move(sentence)};
}

result_or<artifact> make_fixture(const generation_input& input) {
  for (auto step = input.steps.rbegin(); step != input.steps.rend(); ++step) {
    const auto& e = **step;
    if (whole_body_bytes(e) == 0)
      continue;
    const auto body = answer_body(e);
    const auto value = shapeable_json(body);
    if (!value)
      continue;
    json_shape shape;
    shape.add(*value);
    const auto words = request_words(e);
    std::string text;
    json_object_writer w{text};
    w.text("request", words).number("status", e.status).text("content_type", answer_type(e));
    w.text("recorded_at", to_iso8601(e.at)).raw("schema", shape.schema()).raw("body", body);
    w.close();
    return artifact{std::move(text), "The newest whole answer of " + script_string(words) +
                                         "; url chooses another endpoint."};
  }
  return tl::unexpected(user_error{std::string{nothing_whole}});
}

} // namespace

generation answer_types() {
  return {"types", "TypeScript and JSON Schema of what endpoints answered",
          usual_beginning::everything, looked_at::events_and_steps, make_types};
}

generation answer_fixture() {
  return {"fixture", "a recorded JSON answer with its schema; url chooses the endpoint",
          usual_beginning::everything, looked_at::events_and_steps, make_fixture};
}

} // namespace gasoline

#include "actors/mcp_tools/generate/scripts/script_answers.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/direct_alert.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/mcp_tools/generate/generation/recorded_requests.hpp"
#include "actors/mcp_tools/generate/generation/script_text.hpp"
#include "actors/resolution/deed_words.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

constexpr std::chrono::minutes longest_story{10};
constexpr std::chrono::seconds after_fault{2};
constexpr std::size_t most_answers = 60;
constexpr std::size_t most_bytes = 96U << 10U;

constexpr std::string_view opening = R"(const recorded = [
)";

constexpr std::string_view ending = R"(];
// As the server answered then, in the same order; the last answer goes on. The rest goes to it.
await page.route("**/*", async (route) => {
  const { pathname, search } = new URL(route.request().url());
  const same = recorded.filter(
    ({ method, path }) => method === route.request().method() && path === pathname + search,
  );
  const answer = same.find(({ used }) => !used) ?? same.at(-1);
  if (!answer) return route.fallback();
  answer.used = true;
  if (answer.status === 0) return route.abort();
  return route.fulfill({ status: answer.status, contentType: answer.type, body: answer.body });
});
)";

/// The documents that the story went through; none: it is told by time alone.
std::set<std::string_view> documents_of(const fault_story& story) {
  std::set<std::string_view> out;
  for (const auto* e : story.actions)
    out.insert(page_id_of(*e));
  out.insert(page_id_of(*story.seen.newest));
  out.erase(std::string_view{});
  return out;
}

bool is_fault_itself(const event& e, const event& fault) {
  return is_request(fault) && is_failed_exchange(e) && request_words(e) == request_words(fault);
}

std::string path_of(std::string_view url) {
  const auto pieces = take_apart(url);
  const auto query = pieces.rest.substr(0, pieces.rest.find('#'));
  return (pieces.path.empty() ? "/" : std::string{pieces.path}) + std::string{query};
}

std::string answer_line(const recorded_request& r, const std::string& body) {
  const auto type = answer_type(*r.told);
  return "  { method: " + script_string(request_method(*r.told)) +
         ", path: " + script_string(path_of(absolute_url(*r.told))) +
         ", status: " + std::to_string(r.told->status) +
         ", type: " + script_string(type.empty() ? "application/json" : type) +
         ", body: " + script_string(body) + " },\n";
}

std::string indented_by(std::string_view text, std::string_view indent) {
  std::string out;
  bool at_begin = true;
  for (const char c : text) {
    if (at_begin && c != '\n')
      out += indent;
    out += c;
    at_begin = c == '\n';
  }
  return out;
}

} // namespace

std::string script_answers(const fault_story& story, event_span steps, std::string_view indent) {
  const auto& fault = *story.seen.newest;
  const auto documents = documents_of(story);
  std::string lines;
  std::size_t answers = 0;
  std::size_t left = 0;
  for (const auto& r : recorded_requests(steps)) {
    const auto& e = *r.told;
    const bool in_time = e.at >= fault.at - longest_story && e.at <= fault.at + after_fault;
    const bool of_story = documents.empty() || documents.count(page_id_of(e)) > 0;
    if (e.kind != telemetry_kind::body || !in_time || !of_story || is_fault_itself(e, fault))
      continue;
    const auto body = answer_body(e);
    const auto line = answer_line(r, body);
    if (is_cut_body(e) || (body.empty() && e.status > 0 && e.status < 300) ||
        answers >= most_answers || lines.size() + line.size() > most_bytes) {
      ++left;
      continue;
    }
    ++answers;
    lines += line;
  }
  std::string out;
  if (left > 0)
    out += "// " + std::to_string(left) +
           " answers were not recorded whole, or had no room: they come from the server.\n";
  if (has_mask(lines))
    out += "// What was redacted in the answers is masked: put in its place what is missing.\n";
  if (answers > 0)
    out.append(opening).append(lines).append(ending);
  return indented_by(out, indent);
}

} // namespace gasoline

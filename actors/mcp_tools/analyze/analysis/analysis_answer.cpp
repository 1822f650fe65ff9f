#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"

#include "messages/base/json/json_text.hpp"

#include <utility>

namespace gasoline {
namespace {

/// Room kept for the sentence and the counts of what is left out.
constexpr std::uint64_t around_bytes = 700;

} // namespace

analysis_answer::analysis_answer(const analyze_call& call)
    : call_(call), budget_(call.max_bytes > around_bytes ? call.max_bytes - around_bytes : 0) {}

void analysis_answer::list(std::string_view name, std::size_t size,
                           const std::function<std::string(std::size_t)>& item) {
  if (size == 0)
    return;
  std::string out;
  std::size_t shown = 0;
  for (; shown < size && shown < call_.limit; ++shown) {
    const auto next = item(shown);
    if (members_.size() + out.size() + next.size() + 1 > budget_)
      break;
    out.append(out.empty() ? "" : ",").append(next);
  }
  if (!members_.empty())
    members_ += ',';
  append_json_string(members_, name);
  members_.append(":[").append(out).append("]");
  if (shown == size)
    return;
  members_ += ',';
  append_json_string(members_, std::string{name} + "_left");
  members_ += ':' + std::to_string(size - shown);
}

std::string analysis_answer::finish(std::string sentence) const {
  if (!call_.ignored.empty())
    sentence += " Ignored arguments: " + call_.ignored + ".";
  return std::move(sentence) + "\n{" + members_ + '}';
}

} // namespace gasoline

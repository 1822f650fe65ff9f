#include "actors/mcp_tools/analyze/modes/timeline_analysis.hpp"

#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"
#include "actors/mcp_tools/analyze/faults/fault_item.hpp"
#include "actors/mcp_tools/analyze/modes/story_lines.hpp"
#include "messages/base/presentable_text.hpp"

#include <string>
#include <utility>

namespace gasoline {
namespace {

std::string story_item(const story_line& line, const fault& f) {
  std::string out;
  json_object_writer w{out};
  const bool is_it = line.told->sequence == f.newest->sequence;
  w.text("at", is_it ? "0" : distance_text(*line.told, f)).text("what", line.words);
  w.close();
  return out;
}

std::string timeline_answer(const analysis_input& input) {
  analysis_answer out{input.call};
  const auto faults = faults_in(input.events, input.limit);
  const auto* f = newest_fault(faults);
  const auto where = input.since ? " since " + input.since->words : std::string{};
  if (!f)
    return out.finish("No fault" + where + " to tell the story of." + input.remark);
  const auto lines = story_lines(input.events, *f);
  out.list("fault", 1, [&](std::size_t) {
    std::string item;
    json_object_writer w{item};
    write_fault(w, *f, input.until);
    w.close();
    return item;
  });
  out.list("story", lines.size(), [&](std::size_t i) { return story_item(lines[i], *f); });
  return out.finish("The story of the fault seen last at " + to_iso8601(f->last_at) +
                    ", times as seen from it; url or until chooses another." + input.remark + ' ' +
                    std::string{outside_text_label});
}

} // namespace

analysis timeline_analysis() {
  return {"timeline", "one fault as a story: action, request, server, error, with times",
          usual_beginning::everything, timeline_answer};
}

} // namespace gasoline

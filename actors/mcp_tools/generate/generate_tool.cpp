#include "actors/mcp_tools/generate/generate_tool.hpp"

#include "actors/mcp_tools/generate/documents/answer_types.hpp"
#include "actors/mcp_tools/generate/documents/bug_report.hpp"
#include "actors/mcp_tools/generate/documents/content_policy.hpp"
#include "actors/mcp_tools/generate/documents/har_document.hpp"
#include "actors/mcp_tools/generate/documents/pr_summary.hpp"
#include "actors/mcp_tools/generate/documents/sarif_document.hpp"
#include "actors/mcp_tools/generate/generation/generation_mode.hpp"
#include "actors/mcp_tools/generate/scripts/reproduction_script.hpp"

namespace gasoline {

tool generate_tool(const std::string& state_directory, const limits_of<result_room>& limit) {
  tool out;
  out.name = "generate";
  out.toolset = "core";
  out.title = "Generate from telemetry";
  out.description =
      "Files from what was seen, answered or written to path. reproduction: Playwright "
      "program of the actions up to a fault; test: as a regression test. bug_report, "
      "pr_summary: Markdown. fixture, types: of recorded answers.";
  out.carries_alerts = true;
  out.selector = {"what"};
  for (const auto& what :
       {reproduction_script(), regression_test(), bug_report(), pr_summary(), har_document(),
        sarif_document(), content_policy(), answer_fixture(), answer_types()})
    out.modes.push_back(generation_mode(what, state_directory, limit));
  return out;
}

} // namespace gasoline

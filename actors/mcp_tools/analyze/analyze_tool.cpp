#include "actors/mcp_tools/analyze/analyze_tool.hpp"

#include "actors/mcp_tools/analyze/modes/accessibility_mode.hpp"
#include "actors/mcp_tools/analyze/modes/api_analysis.hpp"
#include "actors/mcp_tools/analyze/modes/diff_analysis.hpp"
#include "actors/mcp_tools/analyze/modes/errors_analysis.hpp"
#include "actors/mcp_tools/analyze/modes/flaky_analysis.hpp"
#include "actors/mcp_tools/analyze/modes/page_analysis.hpp"
#include "actors/mcp_tools/analyze/modes/performance_mode.hpp"
#include "actors/mcp_tools/analyze/modes/security_analysis.hpp"
#include "actors/mcp_tools/analyze/modes/timeline_analysis.hpp"

namespace gasoline {

tool analyze_tool(const limits_of<result_room>& limit) {
  tool out;
  out.name = "analyze";
  out.toolset = "core";
  out.title = "Analyze telemetry";
  out.description =
      "diff: is it fixed since a mark (configure action mark), the last reload, build or commit? "
      "Says fixed only of what was tried again. "
      "accessibility: axe-core, in the browser of interact.";
  out.read_only = true;
  out.carries_alerts = true;
  out.selector = {"what"};
  for (const auto& what : {diff_analysis(), errors_analysis(), timeline_analysis(), api_analysis(),
                           security_analysis(), flaky_analysis()})
    out.modes.push_back(analysis_mode(what, limit));
  out.modes.push_back(performance_mode(limit));
  out.modes.push_back(accessibility_mode(limit));
  out.modes.push_back(page_analysis());
  return out;
}

} // namespace gasoline

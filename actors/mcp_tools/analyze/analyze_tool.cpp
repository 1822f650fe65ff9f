#include "actors/mcp_tools/analyze/analyze_tool.hpp"

#include "actors/mcp_tools/analyze/api_analysis.hpp"
#include "actors/mcp_tools/analyze/diff_analysis.hpp"
#include "actors/mcp_tools/analyze/errors_analysis.hpp"
#include "actors/mcp_tools/analyze/flaky_analysis.hpp"
#include "actors/mcp_tools/analyze/performance_analysis.hpp"
#include "actors/mcp_tools/analyze/security_analysis.hpp"
#include "actors/mcp_tools/analyze/timeline_analysis.hpp"

namespace gasoline {

tool analyze_tool(const limits_of<result_room>& limit) {
  tool out;
  out.name = "analyze";
  out.toolset = "core";
  out.title = "Analyze telemetry";
  out.description = "diff: is it fixed? Compares before and since a mark (configure action mark), "
                    "the last reload "
                    "or build; says fixed only of what was tried again. errors: faults with what "
                    "came just before. "
                    "api: endpoints, failures, p50/p95, N+1.";
  out.read_only = true;
  out.carries_alerts = true;
  out.selector = {"what"};
  for (const auto& what : {diff_analysis(), errors_analysis(), timeline_analysis(), api_analysis(),
                           performance_analysis(), security_analysis(), flaky_analysis()})
    out.modes.push_back(analysis_mode(what, limit));
  return out;
}

} // namespace gasoline

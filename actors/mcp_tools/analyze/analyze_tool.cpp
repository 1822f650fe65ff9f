#include "actors/mcp_tools/analyze/analyze_tool.hpp"

#include "actors/mcp_tools/analyze/api_analysis.hpp"
#include "actors/mcp_tools/analyze/diff_analysis.hpp"
#include "actors/mcp_tools/analyze/errors_analysis.hpp"

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
  out.modes = {
      analysis_mode(diff_analysis(), limit),
      analysis_mode(errors_analysis(), limit),
      analysis_mode(api_analysis(), limit),
  };
  return out;
}

} // namespace gasoline

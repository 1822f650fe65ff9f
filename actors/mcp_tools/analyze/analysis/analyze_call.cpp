#include "actors/mcp_tools/analyze/analysis/analyze_call.hpp"

#include <utility>

namespace gasoline {

tool_parameters<analyze_call> analyze_parameters(const limits_of<result_room>& limit) {
  tool_parameters<analyze_call> out{usual_call<analyze_call>(limit)};
  add_analyze_parameters(out, limit);
  return out;
}

} // namespace gasoline

#include "actors/mcp_tools/analyze/analyze_call.hpp"

#include <utility>

namespace gasoline {
namespace {

constexpr std::uint64_t usual_items = 20;

} // namespace

tool_parameters<analyze_call> analyze_parameters(const limits_of<result_room>& limit) {
  analyze_call usual;
  usual.limit = usual_items;
  usual.max_bytes = limit.result.bytes;
  tool_parameters<analyze_call> out{std::move(usual)};
  add_event_parameters(out, limit);
  out.integer("limit", &analyze_call::limit, 1, limit.result.max_items);
  out.ignored(&analyze_call::ignored);
  return out;
}

} // namespace gasoline

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
  out.text("since", &analyze_call::since)
      .about("A mark, reload, build, an ISO 8601 time, or an age such as 5m");
  out.text("until", &analyze_call::until).about("The same");
  out.text("url", &analyze_call::url);
  out.integer("limit", &analyze_call::limit, 1, limit.result.max_items);
  out.integer("max_bytes", &analyze_call::max_bytes, 1024, limit.result.max_bytes);
  out.ignored(&analyze_call::ignored);
  return out;
}

} // namespace gasoline

#include "actors/mcp_tools/generate/generation/generate_call.hpp"

#include <utility>

namespace gasoline {

tool_parameters<generate_call> generate_parameters(const limits_of<result_room>& limit) {
  generate_call usual;
  usual.max_bytes = limit.result.bytes;
  tool_parameters<generate_call> out{std::move(usual)};
  out.text("id", &generate_call::id).about("Of an alert; else the newest fault");
  add_event_parameters(out, limit);
  out.text("path", &generate_call::path).about("File in the workspace to write to");
  out.boolean("replay", &generate_call::replay);
  out.boolean("overwrite", &generate_call::overwrite);
  out.ignored(&generate_call::ignored);
  return out;
}

} // namespace gasoline

#include "actors/mcp/client/ask_engine.hpp"

#include "actors/mcp/client/client_tools.hpp"

namespace gasoline {
namespace {

constexpr const char* shutting_down = "The engine is shutting down; call again after a restart.";

} // namespace

void answer_shutting_down(const request_context& context) {
  if (context.request()->method == "tools/call")
    answer_tool(context, {shutting_down, true});
  else
    context.fail(rpc_code::internal_error, shutting_down);
}

} // namespace gasoline

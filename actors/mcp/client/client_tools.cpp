#include "actors/mcp/client/client_tools.hpp"

#include "actors/mcp/client/ask_engine.hpp"
#include "actors/mcp/client/client_replies.hpp"
#include "actors/mcp/offers/mcp_registry.hpp"
#include "actors/mcp/offers/mcp_resources.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"

#include <chrono>

namespace gasoline {
namespace {

using nlohmann::json;

json text_block(std::string text) {
  return {{"type", "text"}, {"text", std::move(text)}};
}

void record_call(client_pointer self, const std::string& tool, const json& arguments) {
  const auto& env = self->state.env;
  if (!env.recorder)
    return;
  const auto clean =
      env.redaction->json_value(arguments.dump(-1, ' ', false, json::error_handler_t::replace));
  json step{{"call", tool}, {"arguments", json::parse(clean.str(), nullptr, false)}};
  caf::anon_send(env.recorder, record_atom_v, std::make_shared<const json>(std::move(step)));
}

/// Whether the call may run now; otherwise it has been answered.
bool within_rate(const request_context& context) {
  auto* self = context.session();
  auto& window = *self->state.tool_calls;
  const auto now = self->clock().now();
  if (window.take(now))
    return true;
  const auto wait = std::chrono::ceil<std::chrono::seconds>(window.next_free(now) - now);
  answer_tool(context,
              {"Rate limit: at most " +
                   std::to_string(self->state.env.limit.client.tool_calls_per_minute) +
                   " tool calls a minute; try again in " + std::to_string(wait.count()) + " s.",
               true});
  return false;
}

} // namespace

void answer_tool(const request_context& context, tool_result result, std::string alert_text) {
  json content = json::array();
  content.push_back(text_block(std::move(result.text)));
  if (!alert_text.empty())
    content.push_back(text_block(std::move(alert_text)));
  json out{{"content", std::move(content)}};
  if (result.is_error)
    out["isError"] = true;
  context.answer(std::move(out));
}

void tools_list(const request_context& context, const json& params) {
  if (refuse_cursor(context, params))
    return;
  ask_engine<data_counts>(
      context, context.session()->state.env.store,
      [context](const data_counts& counts) {
        const auto& env = context.session()->state.env;
        context.answer({{"tools", env.registry->listed_tools(env.toolsets, counts)}});
      },
      counts_atom_v);
}

void tools_call(const request_context& context, const json& params) {
  auto* self = context.session();
  const auto name = text_parameter(params, "name");
  if (!name) {
    context.fail(rpc_code::invalid_params, "name is missing: the tool to call.");
    return;
  }
  const auto found = params.find("arguments");
  const json arguments = found == params.end() || found->is_null() ? json::object() : *found;
  if (!arguments.is_object()) {
    context.fail(rpc_code::invalid_params, "arguments must be an object.");
    return;
  }
  const auto* tool = self->state.env.registry->find_tool(*name);
  if (!tool) {
    context.fail(rpc_code::invalid_params,
                 "Unknown tool; the tools are " + self->state.env.registry->tool_names() + ".");
    return;
  }
  if (!within_rate(context))
    return;
  ++self->state.total_tool_calls;
  record_call(self, *name, arguments);
  tool->call(context, arguments);
}

} // namespace gasoline

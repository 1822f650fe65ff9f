#include "actors/mcp/tool_methods.hpp"

#include "actors/mcp/offers/mcp_registry.hpp"
#include "actors/mcp/offers/mcp_resources.hpp"
#include "actors/mcp/protocol/argument_texts.hpp"
#include "actors/mcp/protocol/mcp_serializer.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/mcp/tool.hpp"

#include <memory>

namespace gasoline {
namespace {

using nlohmann::json;

void record_call(const client_environment& env, const std::string& tool, const json& arguments) {
  if (!env.recorder)
    return;
  const auto clean = env.redaction->json_value(dumped(arguments));
  json step{{"call", tool}, {"arguments", json::parse(clean.str(), nullptr, false)}};
  caf::anon_send(env.recorder, record_atom_v, std::make_shared<const json>(std::move(step)));
}

/// Agents whose server serves several conversations say which of them calls: Codex its thread, VS
/// Code its chat.
void tell_conversation(const client_parts& client, const json& params) {
  const auto meta = params.find("_meta");
  if (meta == params.end() || !meta->is_object())
    return;
  for (const char* key : {"threadId", "vscode.conversationId"})
    if (const auto id = meta->find(key); id != meta->end() && id->is_string()) {
      caf::anon_send(client.env.engine.alerts, join_atom_v, client.id, id->get<std::string>());
      return;
    }
}

/// Whether the call may run now; otherwise it has been answered.
bool within_rate(client_parts& client, const request_context& context) {
  const auto wait = client.tool_calls.take(context.now());
  if (!wait)
    return true;
  context.answer(tool_result_json(
      context.revision(),
      error_result("Rate limit: at most " +
                   std::to_string(context.limit().client.tool_calls_per_minute) +
                   " tool calls a minute; try again in " + std::to_string(wait->count()) + " s.")));
  return false;
}

} // namespace

void tools_list(client_parts& client, const request_context& context, const json& params) {
  if (refuse_cursor(context, params))
    return;
  context.ask_engine<data_counts>(
      context.engine().store,
      [context, &toolsets = client.env.toolsets](const data_counts& counts) {
        context.answer({{"tools", context.registry().listed_tools(toolsets, counts)}});
      },
      counts_atom_v);
}

void tools_call(client_parts& client, const request_context& context, const json& params) {
  const auto name = text_parameter(params, "name");
  if (!name) {
    context.fail(rpc_code::invalid_params, "name is missing: the tool to call.");
    return;
  }
  const auto found = params.find("arguments");
  json arguments = found == params.end() || found->is_null() ? json::object() : *found;
  read_arguments_text(arguments, context.limit());
  if (!arguments.is_object()) {
    context.fail(rpc_code::invalid_params, "arguments must be an object.");
    return;
  }
  const auto* tool = context.registry().find_tool(*name);
  if (!tool) {
    context.fail(rpc_code::invalid_params,
                 "Unknown tool; the tools are " + context.registry().tool_names() + ".");
    return;
  }
  if (!within_rate(client, context))
    return;
  tell_conversation(client, params);
  read_argument_texts(arguments, tool->shown.input_schema, context.limit());
  record_call(client.env, *name, arguments);
  tool->call(context, arguments);
}

} // namespace gasoline

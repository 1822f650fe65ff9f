#include "actors/agents/providers/model_requests.hpp"
#include "messages/base/json/json_text.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

/// One message of ours is up to several of theirs: tool results stand alone there, and come before
/// the text of the same side.
struct openai_parts {
  std::string text;
  json tool_calls = json::array();
  json results = json::array();
};

json openai_tool_call(const json& block) {
  return {{"id", block.value("id", "")},
          {"type", "function"},
          {"function",
           {{"name", block.value("name", "")},
            {"arguments", dumped(block.value("input", json::object()))}}}};
}

openai_parts openai_parts_of(const json& blocks) {
  openai_parts out;
  for (const auto& block : blocks) {
    const auto type = block.is_object() ? block.value("type", std::string{}) : std::string{};
    if (type == "text")
      out.text += (out.text.empty() ? "" : "\n") + block.value("text", "");
    else if (type == "tool_use")
      out.tool_calls.push_back(openai_tool_call(block));
    else if (type == "tool_result")
      out.results.push_back({{"role", "tool"},
                             {"tool_call_id", block.value("tool_use_id", "")},
                             {"content", block.value("content", "")}});
  }
  return out;
}

void add_openai_messages(json& messages, const session_message& message) {
  auto parts = openai_parts_of(message.content);
  for (auto& result : parts.results)
    messages.push_back(std::move(result));
  if (parts.text.empty() && parts.tool_calls.empty())
    return;
  json out{{"role", message.role}};
  out["content"] = parts.text.empty() ? json() : json(std::move(parts.text));
  if (!parts.tool_calls.empty())
    out["tool_calls"] = std::move(parts.tool_calls);
  messages.push_back(std::move(out));
}

json openai_body(const model_call& call) {
  auto messages = json::array();
  if (!call.system_prompt.empty())
    messages.push_back({{"role", "system"}, {"content", call.system_prompt.str()}});
  for (const auto& message : call.messages)
    add_openai_messages(messages, *message);
  json out{{"model", call.model},
           {"stream", true},
           {"stream_options", {{"include_usage", true}}},
           {"messages", std::move(messages)}};
  for (const auto& tool : call.tools)
    out["tools"].push_back({{"type", "function"},
                            {"function",
                             {{"name", tool.name},
                              {"description", tool.description},
                              {"parameters", tool.input_schema}}}});
  return out;
}

} // namespace

fetch_request openai_request(const model_call& call, const provider_settings& provider,
                             std::string_view key, const limits_of<ingest_room, session_room>&) {
  fetch_request out;
  out.url = provider.base_url + "/chat/completions";
  out.headers = {{"content-type", "application/json"}, {"accept", "text/event-stream"}};
  if (!key.empty())
    out.headers.emplace_back("authorization", "Bearer " + std::string{key});
  out.body = dumped(openai_body(call));
  return out;
}

} // namespace gasoline

#include "actors/agents/providers/model_requests.hpp"
#include "messages/base/json/json_text.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr const char* anthropic_version = "2023-06-01";

/// A block as the API takes it; null: it is left out. Empty texts are refused there, and thinking
/// counts only with the signature that it came with.
json anthropic_block(const json& block) {
  const auto type = block.value("type", std::string{});
  if (type == "text")
    return block.value("text", "").empty() ? json() : json{{"type", type}, {"text", block["text"]}};
  if (type == "thinking" && block.contains("signature") && block["signature"].is_string())
    return {
        {"type", type}, {"thinking", block.value("text", "")}, {"signature", block["signature"]}};
  if (type == "tool_use" || type == "tool_result")
    return block;
  return nullptr;
}

json anthropic_content(const json& blocks) {
  auto out = json::array();
  for (const auto& block : blocks)
    if (auto shown = block.is_object() ? anthropic_block(block) : json(); !shown.is_null())
      out.push_back(std::move(shown));
  return out;
}

/// Adds a message; what one side says in a row becomes one message.
void add_anthropic_message(json& messages, const std::string& role, json content) {
  if (content.empty())
    return;
  if (messages.empty() || messages.back()["role"] != role) {
    messages.push_back({{"role", role}, {"content", std::move(content)}});
    return;
  }
  for (auto& block : content)
    messages.back()["content"].push_back(std::move(block));
}

json anthropic_body(const model_call& call, const limits_of<ingest_room, session_room>& limit) {
  auto messages = json::array();
  for (const auto& message : call.messages)
    add_anthropic_message(messages, message->role, anthropic_content(message->content));
  json out{{"model", call.model},
           {"max_tokens", limit.session.answer_tokens},
           {"stream", true},
           {"messages", std::move(messages)}};
  if (!call.system_prompt.empty())
    out["system"] = call.system_prompt.str();
  for (const auto& tool : call.tools)
    out["tools"].push_back({{"name", tool.name},
                            {"description", tool.description},
                            {"input_schema", tool.input_schema}});
  return out;
}

} // namespace

fetch_request anthropic_request(const model_call& call, const provider_settings& provider,
                                std::string_view key,
                                const limits_of<ingest_room, session_room>& limit) {
  fetch_request out;
  out.url = provider.base_url + "/v1/messages";
  out.headers = {{"content-type", "application/json"},
                 {"accept", "text/event-stream"},
                 {"anthropic-version", anthropic_version}};
  if (!key.empty())
    out.headers.emplace_back("x-api-key", key);
  out.body = dumped(anthropic_body(call, limit));
  return out;
}

} // namespace gasoline

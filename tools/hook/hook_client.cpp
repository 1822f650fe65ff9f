#include "tools/hook/hook_client.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace gasoline {
namespace {

using nlohmann::ordered_json;

bool is_same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return !a.empty() && a.size() == b.size() && lower(a[0]) == lower(b[0]) &&
         a.substr(1) == b.substr(1);
}

ordered_json specific(const hook_event& event) {
  return {{"hookEventName", event.name}};
}

ordered_json document(const hook_event& event, std::string_view text) {
  switch (event.form) {
  case hook_form::specific: {
    auto inner = specific(event);
    inner["additionalContext"] = text;
    return {{"hookSpecificOutput", std::move(inner)}};
  }
  case hook_form::specific_block: {
    auto inner = specific(event);
    inner["decision"] = "block";
    inner["reason"] = text;
    return {{"hookSpecificOutput", std::move(inner)}};
  }
  case hook_form::context:
    return {{"additionalContext", text}};
  case hook_form::snake_context:
    return {{"additional_context", text}};
  case hook_form::modification:
    return {{"cancel", false}, {"contextModification", text}};
  case hook_form::plain:
    return {{"context", text}};
  case hook_form::block:
    return {{"decision", "block"}, {"reason", text}};
  case hook_form::deny:
    return {{"decision", "deny"}, {"reason", text}};
  case hook_form::followup:
    return {{"followup_message", text}};
  }
  return ordered_json::object();
}

} // namespace

const std::vector<hook_client>& hook_clients() {
  using m = hook_moment;
  using f = hook_form;
  static const std::vector<hook_client> table{
      {"claude",
       {{"PostToolBatch", m::tool, f::specific},
        {"PostToolUse", m::tool, f::specific},
        {"PostToolUseFailure", m::tool, f::specific},
        {"UserPromptSubmit", m::prompt, f::specific},
        {"SessionStart", m::begin, f::specific},
        {"Stop", m::stop, f::block}}},
      {"codex",
       {{"PostToolUse", m::tool, f::specific},
        {"UserPromptSubmit", m::prompt, f::specific},
        {"SessionStart", m::begin, f::specific},
        {"Stop", m::stop, f::block}}},
      {"gemini",
       {{"AfterTool", m::tool, f::specific},
        {"BeforeAgent", m::prompt, f::specific},
        {"SessionStart", m::begin, f::specific},
        {"AfterAgent", m::stop, f::deny}}},
      {"copilot",
       {{"postToolUse", m::tool, f::context},
        {"userPromptSubmitted", m::prompt, f::context},
        {"sessionStart", m::begin, f::context},
        {"agentStop", m::stop, f::block}}},
      {"vscode",
       {{"PostToolUse", m::tool, f::specific},
        {"SessionStart", m::begin, f::specific},
        {"Stop", m::stop, f::specific_block}}},
      {"qwen",
       {{"PostToolBatch", m::tool, f::specific},
        {"PostToolUse", m::tool, f::specific},
        {"UserPromptSubmit", m::prompt, f::specific},
        {"SessionStart", m::begin, f::specific},
        {"Stop", m::stop, f::block}}},
      {"cline", {{"PostToolUse", m::tool, f::modification}}},
      {"opencode",
       {{"tool.execute.after", m::tool, f::plain}, {"chat.message", m::prompt, f::plain}}},
      {"cursor",
       {{"postToolUse", m::tool, f::snake_context},
        {"sessionStart", m::begin, f::snake_context},
        {"stop", m::stop, f::followup}}},
      {"devin", {{"PostToolUse", m::tool, f::specific}, {"Stop", m::stop, f::block}}},
  };
  return table;
}

const hook_client* find_hook_client(std::string_view name) {
  const auto& all = hook_clients();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const hook_client& c) { return c.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const hook_event* find_hook_event(const hook_client& client, std::string_view name) {
  const auto found = std::find_if(client.events.begin(), client.events.end(),
                                  [&](const hook_event& e) { return is_same_name(e.name, name); });
  return found == client.events.end() ? nullptr : &*found;
}

std::string hook_output(const hook_event& event, std::string_view text) {
  return document(event, text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace gasoline

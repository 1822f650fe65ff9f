#include "tools/setup/agent_files.hpp"

#include <algorithm>

namespace gasoline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view server_name = "gasoline";
constexpr int hook_seconds = 5;
constexpr int hook_milliseconds = 5'000;

using event_names = std::vector<std::string_view>;

/// A word as a POSIX shell takes it.
std::string quoted(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view{"@%+=:,./_-"}.find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain))
    return word;
  std::string out{"'"};
  for (const char c : word)
    out += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
  return out + "'";
}

std::vector<std::string> server_arguments(const agent_machine& m) {
  std::vector<std::string> out{"mcp"};
  out.insert(out.end(), m.arguments.begin(), m.arguments.end());
  return out;
}

std::string hook_command(const agent_machine& m, std::string_view agent, std::string_view event) {
  auto out = quoted(m.program.string()) + " hook --client " + std::string{agent} + " --event " +
             std::string{event};
  for (const auto& a : m.arguments)
    out += " " + quoted(a);
  return out;
}

ordered_json server_entry(const agent_machine& m) {
  return {{"command", m.program.string()}, {"args", server_arguments(m)}};
}

ordered_json typed_server(const agent_machine& m, std::string_view type) {
  ordered_json out{{"type", type}};
  out.update(server_entry(m));
  return out;
}

ordered_json with(ordered_json entry, const char* key, ordered_json value) {
  entry[key] = std::move(value);
  return entry;
}

wanted_file server_file(fs::path file, std::string_view below, ordered_json entry) {
  return {std::move(file),
          {wanted_member{{std::string{below}, std::string{server_name}}, std::move(entry)}},
          {},
          false};
}

/// One entry per event in the nesting that Claude Code began: an event has groups, a group hooks.
std::vector<wanted_entry> nested_hooks(const agent_machine& m, std::string_view agent,
                                       const event_names& events, int timeout, bool named) {
  std::vector<wanted_entry> out;
  for (const auto event : events) {
    ordered_json hook{{"type", "command"}};
    if (named) // two hooks of one event need different names
      hook["name"] = "gasoline-" + std::string{event};
    hook["command"] = hook_command(m, agent, event);
    hook["timeout"] = timeout;
    ordered_json group{{"hooks", ordered_json::array({std::move(hook)})}};
    out.push_back(wanted_element{{"hooks", std::string{event}}, std::move(group)});
  }
  return out;
}

template <class... More>
std::vector<wanted_entry> joined(std::vector<wanted_entry> first, More... more) {
  (first.push_back(std::move(more)), ...);
  return first;
}

agent claude(const agent_machine& m) {
  const auto dir = m.home / ".claude";
  const auto entry = with(with(typed_server(m, "stdio"), "env", ordered_json::object()),
                          "alwaysLoad", true); // its tools are hidden until searched for, else
  return {"claude",
          "Claude Code",
          {dir, m.home / ".claude.json"},
          {server_file(m.home / ".claude.json", "mcpServers", entry),
           {dir / "settings.json",
            joined(nested_hooks(m, "claude",
                                {"PostToolBatch", "UserPromptSubmit", "SessionStart", "Stop"},
                                hook_seconds, false),
                   wanted_element{{"permissions", "allow"}, "mcp__gasoline"}),
            {},
            false}},
          ""};
}

agent codex(const agent_machine& m) {
  const auto dir = m.home / ".codex";
  std::string arguments;
  for (const auto& a : server_arguments(m))
    arguments += (arguments.empty() ? "" : ", ") + toml_string(a);
  return {"codex",
          "Codex",
          {dir},
          {{dir / "config.toml",
            {wanted_table{
                "mcp_servers.gasoline",
                {{"command", toml_string(m.program.string())}, {"args", "[" + arguments + "]"}}}},
            {},
            false},
           {dir / "hooks.json",
            nested_hooks(m, "codex", {"PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"},
                         hook_seconds, false),
            {},
            false}},
          "Codex runs hooks only once you trust them: type /hooks in Codex, and again after each "
          "setup that changes them."};
}

agent gemini_like(const agent_machine& m, std::string_view name, std::string_view title,
                  const event_names& events) {
  const auto dir = m.home / ("." + std::string{name});
  return {name,
          title,
          {dir},
          {{dir / "settings.json",
            joined(nested_hooks(m, name, events, hook_milliseconds, true),
                   wanted_member{{"mcpServers", std::string{server_name}},
                                 with(server_entry(m), "trust", true)}),
            {},
            false}},
          ""};
}

agent copilot(const agent_machine& m) {
  const auto dir = m.home / ".copilot";
  ordered_json hooks = ordered_json::object();
  for (const auto* event : {"sessionStart", "userPromptSubmitted", "postToolUse", "agentStop"})
    hooks[event] = ordered_json::array({{{"type", "command"},
                                         {"bash", hook_command(m, "copilot", event)},
                                         {"timeoutSec", hook_seconds}}});
  const ordered_json file{{"version", 1}, {"hooks", std::move(hooks)}};
  return {"copilot",
          "Copilot CLI",
          {dir},
          {server_file(dir / "mcp-config.json", "mcpServers",
                       with(typed_server(m, "local"), "tools", ordered_json::array({"*"}))),
           {dir / "hooks" / "gasoline.json", {}, file.dump(2) + "\n", false}},
          ""};
}

agent cline(const agent_machine& m) {
  const auto dir = m.home / ".cline";
  const auto entry = with(server_entry(m), "disabled", false);
  return {"cline",
          "Cline",
          {dir},
          {server_file(dir / "mcp.json", "mcpServers", entry),
           server_file(dir / "data" / "settings" / "cline_mcp_settings.json", "mcpServers", entry),
           {dir / "hooks" / "PostToolUse",
            {},
            "#!/bin/sh\nexec " + hook_command(m, "cline", "PostToolUse") + "\n",
            true}},
          ""};
}

std::string opencode_plugin(const agent_machine& m) {
  auto words = ordered_json::array({m.program.string(), "hook", "--client", "opencode"});
  for (const auto& a : m.arguments)
    words.push_back(a);
  return "// Tells opencode's model what gasoline has noticed. Written by `gasoline setup`.\n"
         "import { spawn } from \"node:child_process\";\n\n"
         "const command = " +
         words.dump() +
         R"(;

const ask = (event, payload) =>
  new Promise((done) => {
    let out = "";
    const child = spawn(command[0], [...command.slice(1), "--event", event], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    child.on("error", () => done(""));
    child.stdin.on("error", () => {});
    child.stdout.on("data", (piece) => (out += piece));
    child.on("close", () => {
      try {
        done(JSON.parse(out).context ?? "");
      } catch {
        done("");
      }
    });
    child.stdin.end(JSON.stringify(payload));
  });

export const gasoline = async ({ directory }) => ({
  "tool.execute.after": async (input, output) => {
    const text = await ask("tool.execute.after", {
      sessionID: input.sessionID,
      tool: input.tool,
      directory,
    });
    if (!text) return;
    if (typeof output.output === "string") output.output += `\n\n${text}`;
    else if (Array.isArray(output.content)) output.content.push({ type: "text", text });
  },
  "chat.message": async (input, output) => {
    const text = await ask("chat.message", { sessionID: input.sessionID, directory });
    const first = output.parts.find((part) => part.type === "text");
    if (text && first) output.parts.push({ ...first, id: `${first.id}g`, text });
  },
});
)";
}

agent opencode(const agent_machine& m) {
  const auto dir = m.config_home / "opencode";
  ordered_json command = ordered_json::array({m.program.string()});
  for (const auto& a : server_arguments(m))
    command.push_back(a);
  return {"opencode",
          "opencode",
          {dir},
          {server_file(dir / "opencode.json", "mcp",
                       {{"type", "local"}, {"command", std::move(command)}, {"enabled", true}}),
           {dir / "plugins" / "gasoline.js", {}, opencode_plugin(m), false}},
          "At its next start opencode fetches its plugin package from npm."};
}

agent cursor(const agent_machine& m) {
  const auto dir = m.home / ".cursor";
  std::vector<wanted_entry> hooks{wanted_member{{"version"}, 1}};
  for (const auto* event : {"sessionStart", "postToolUse", "stop"})
    hooks.push_back(
        wanted_element{{"hooks", event},
                       {{"command", hook_command(m, "cursor", event)}, {"timeout", hook_seconds}}});
  return {"cursor",
          "Cursor",
          {dir},
          {server_file(dir / "mcp.json", "mcpServers", server_entry(m)),
           {dir / "hooks.json", std::move(hooks), {}, false}},
          "Not measured: its hooks are written after its documents."};
}

agent devin(const agent_machine& m) {
  const auto dir = m.config_home / "devin";
  return {"devin",
          "Devin",
          {dir},
          {server_file(dir / "mcp_config.json", "mcpServers", server_entry(m)),
           {dir / "config.json",
            nested_hooks(m, "devin", {"PostToolUse", "Stop"}, hook_seconds, false),
            {},
            false}},
          "Not measured: its hooks are written after its documents."};
}

agent zed(const agent_machine& m) {
  const auto dir = m.config_home / "zed";
  return {"zed",
          "Zed",
          {dir},
          {server_file(dir / "settings.json", "context_servers",
                       with(server_entry(m), "env", ordered_json::object()))},
          "Zed has no hooks: its model sees alerts in results of observe only."};
}

agent vscode(const agent_machine& m) {
  const auto dir = m.config_home / "Code" / "User";
  return {"vscode",
          "VS Code",
          {dir},
          {server_file(dir / "mcp.json", "servers", typed_server(m, "stdio"))},
          "Not measured: its Copilot runs the hooks of `gasoline setup copilot`."};
}

} // namespace

std::vector<agent> known_agents(const agent_machine& m) {
  std::vector<agent> out{claude(m),
                         codex(m),
                         gemini_like(m, "gemini", "Gemini CLI",
                                     {"AfterTool", "BeforeAgent", "SessionStart", "AfterAgent"}),
                         copilot(m),
                         gemini_like(m, "qwen", "Qwen Code",
                                     {"PostToolBatch", "UserPromptSubmit", "SessionStart", "Stop"}),
                         cline(m),
                         opencode(m),
                         cursor(m),
                         devin(m),
                         zed(m),
                         vscode(m)};
  for (auto& a : out)
    for (auto& file : a.files)
      file.below = lies_below(file.path, m.home) ? m.home : m.config_home;
  return out;
}

bool lies_below(const fs::path& file, const fs::path& directory) {
  const auto rest = file.lexically_relative(directory);
  return !rest.empty() && rest != "." && *rest.begin() != "..";
}

bool is_own_hook(const ordered_json& element) {
  if (element.is_string()) {
    const auto& text = element.get_ref<const std::string&>();
    return text.find("gasoline") != std::string::npos &&
           text.find(" hook --client ") != std::string::npos;
  }
  return element.is_structured() &&
         std::any_of(element.begin(), element.end(),
                     [](const ordered_json& inner) { return is_own_hook(inner); });
}

} // namespace gasoline

// The agents that are measured: a pinned version of each from npm, the files that let it run without an
// account against a scripted model, and where an alert has to stand in what its model is sent. Server
// entry, hooks and permissions are not in here: `gasoline setup` writes them.
import path from "node:path";

const openai_models = (url) => `${url}/v1`;

export const agents = [
  {
    name: "claude",
    title: "Claude Code",
    package: "@anthropic-ai/claude-code",
    version: "2.1.332",
    bin: "claude",
    wants_node_22: true,
    field: "system message",
    // Its tools may have to be searched for before they can be called.
    search: { tool: "ToolSearch", args: (name) => ({ query: `select:mcp__gasoline__${name}` }) },
    called: (name) => `mcp__gasoline__${name}`,
    files: (home, project) => ({
      ".claude/settings.json": {},
      ".claude.json": {
        hasCompletedOnboarding: true,
        projects: { [project]: { hasTrustDialogAccepted: true } },
      },
    }),
    args: (prompt) => [
      ...["-p", prompt, "--model", "sonnet", "--output-format", "stream-json", "--verbose"],
      ...["--allowedTools", "mcp__gasoline", "Bash", "Read"],
    ],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    }),
  },
  {
    name: "codex",
    title: "Codex",
    package: "@openai/codex",
    version: "0.171.0",
    bin: "codex",
    field: "developer message",
    search: { tool: "tool_search", args: (name) => ({ query: name, limit: 5 }) },
    called: (name) => `mcp__gasoline__${name}`,
    files: (home, project, url) => ({
      ".codex/config.toml": [
        'model = "scripted"',
        'model_provider = "scripted"',
        "check_for_update_on_startup = false",
        "[analytics]",
        "enabled = false",
        "[otel]",
        'exporter = "none"',
        "[features]",
        "apps = false",
        "[model_providers.scripted]",
        'name = "scripted"',
        `base_url = ${JSON.stringify(openai_models(url))}`,
        'wire_api = "responses"',
        'env_key = "SCRIPTED_KEY"',
        "request_max_retries = 0",
        "stream_max_retries = 0",
        `[projects.${JSON.stringify(project)}]`,
        'trust_level = "trusted"',
        "",
      ].join("\n"),
    }),
    args: (prompt) => [
      ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
      ...["--dangerously-bypass-hook-trust", "--json", prompt],
    ],
    env: () => ({ SCRIPTED_KEY: "dummy" }),
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    package: "@google/gemini-cli",
    version: "0.61.0",
    bin: "gemini",
    field: "tool result",
    files: () => ({
      ".gemini/settings.json": {
        general: {
          enableAutoUpdate: false,
          enableAutoUpdateNotification: false,
          disableAutoUpdate: true,
          disableUpdateNag: true,
        },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      },
    }),
    args: (prompt) => [
      ...["--skip-trust", "--yolo", "-m", "gemini-2.5-pro", "-o", "json", "-p", prompt],
    ],
    env: (url) => ({ GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: url }),
  },
  {
    name: "copilot",
    title: "Copilot CLI",
    package: "@github/copilot",
    version: "1.0.102",
    bin: "copilot",
    wants_node_22: true,
    field: "tool result",
    files: () => ({ ".copilot/config.json": {} }),
    args: (prompt) => [
      ...["-p", prompt, "--allow-all-tools", "--allow-all-paths", "--trust-folder"],
      ...["--disable-builtin-mcps", "--no-auto-update", "--output-format", "json"],
    ],
    env: (url) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDER_BASE_URL: openai_models(url),
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: "dummy",
      COPILOT_MODEL: "scripted",
    }),
  },
  {
    name: "qwen",
    title: "Qwen Code",
    package: "@qwen-code/qwen-code",
    version: "0.24.4",
    bin: "qwen",
    wants_node_22: true,
    field: "tool result",
    search: { tool: "tool_search", args: (name) => ({ query: `select:mcp__gasoline__${name}` }) },
    called: (name) => `mcp__gasoline__${name}`,
    files: () => ({
      ".qwen/settings.json": {
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
      },
    }),
    args: (prompt, url) => [
      ...["--yolo", "--auth-type", "openai", "--openai-api-key", "dummy"],
      ...["--openai-base-url", openai_models(url), "-m", "scripted", "-o", "json", "-p", prompt],
    ],
    env: (url) => ({
      OPENAI_API_KEY: "dummy",
      OPENAI_BASE_URL: openai_models(url),
      OPENAI_MODEL: "scripted",
    }),
  },
  {
    name: "cline",
    title: "Cline CLI",
    package: "cline",
    version: "3.0.65",
    bin: "cline",
    wants_node_22: true,
    field: "user text",
    files: (home, project, url) => ({
      ".cline/data/settings/providers.json": {
        version: 1,
        lastUsedProvider: "openai-compatible",
        providers: {
          "openai-compatible": {
            settings: {
              provider: "openai-compatible",
              apiKey: "dummy",
              baseUrl: openai_models(url),
              model: "scripted",
            },
            updatedAt: new Date().toISOString(),
            tokenSource: "manual",
          },
        },
      },
    }),
    args: (prompt) => [
      ...["--json", "--auto-approve", "true", "-P", "openai-compatible", "-m", "scripted", prompt],
    ],
    env: () => ({ CLINE_NO_AUTO_UPDATE: "1", CLINE_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" }),
  },
  {
    name: "opencode",
    title: "opencode",
    package: "opencode-ai",
    version: "1.18.33",
    bin: "opencode",
    field: "tool result",
    // It fetches this before it starts once there is a plugin, and would wait for minutes without
    // a network.
    plugin_package: "@opencode-ai/plugin@1.18.33",
    plugin_home: path.join(".config", "opencode"),
    files: (home, project, url) => ({
      ".config/opencode/package.json": { dependencies: { "@opencode-ai/plugin": "1.18.33" } },
      ".config/opencode/opencode.json": {
        $schema: "https://opencode.ai/config.json",
        autoupdate: false,
        share: "disabled",
        model: "scripted/scripted",
        small_model: "scripted/scripted",
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            name: "scripted",
            options: { baseURL: openai_models(url), apiKey: "dummy" },
            models: {
              scripted: {
                name: "scripted",
                tool_call: true,
                limit: { context: 200000, output: 8000 },
              },
            },
          },
        },
        permission: { "*": "allow" },
      },
    }),
    args: (prompt) => ["run", "--print-logs", "--log-level", "INFO", "--auto", prompt],
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_SHARE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    }),
  },
];

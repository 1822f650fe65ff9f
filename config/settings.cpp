#include "config/settings.hpp"

#include "config/setting_keys.hpp"
#include "config/setting_values.hpp"
#include "config/settings_document.hpp"
#include "config/state_location.hpp"
#include "config/trusted_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

constexpr std::array<const char*, 13> variables{"GASOLINE_HOST",
                                                "GASOLINE_PORT",
                                                "GASOLINE_STATE_DIR",
                                                "GASOLINE_CONFIG",
                                                "GASOLINE_LOG_LEVEL",
                                                "GASOLINE_TOOLSETS",
                                                "GASOLINE_TOKEN_FILE",
                                                "HOME",
                                                "GASOLINE_ALLOWED_ORIGINS",
                                                "GASOLINE_TRUSTED_ORIGINS",
                                                "XDG_CONFIG_HOME",
                                                "XDG_RUNTIME_DIR",
                                                "XDG_STATE_HOME"};

constexpr std::size_t most_file_bytes = 4U << 20U;

result_or<settings> apply_config_file(settings s, const settings_flags& flags,
                                      const environment& env) {
  auto file = flags.config_file ? *flags.config_file
                                : std::filesystem::path{lookup(env, "GASOLINE_CONFIG")};
  const bool named = !file.empty();
  if (!named)
    file = usual_config_file(env);
  std::error_code ec;
  if (!named && !std::filesystem::exists(file, ec))
    return s;
  const auto text = read_trusted_file(file, most_file_bytes);
  if (!text)
    return refused_setting(text.error().message + " Name another file with --config.");
  return apply_config_text(std::move(s), *text, file.string());
}

setting_outcome apply_environment(settings& s, const environment& env) {
  if (auto v = lookup(env, "GASOLINE_HOST"); !v.empty())
    if (auto ok = set_host(s, v, "GASOLINE_HOST"); !ok)
      return ok;
  if (auto v = lookup(env, "GASOLINE_PORT"); !v.empty())
    if (auto ok = set_port(s, v, "GASOLINE_PORT"); !ok)
      return ok;
  if (auto v = lookup(env, "GASOLINE_STATE_DIR"); !v.empty())
    s.state_dir = v;
  if (auto v = lookup(env, "GASOLINE_LOG_LEVEL"); !v.empty())
    if (auto ok = set_choice(s.log_level, v, known_log_levels(), "GASOLINE_LOG_LEVEL"); !ok)
      return ok;
  if (auto v = lookup(env, "GASOLINE_TOKEN_FILE"); !v.empty())
    if (auto ok = set_token_file(s, v, "GASOLINE_TOKEN_FILE"); !ok)
      return ok;
  if (auto ok = add_origins(s.origins.allowed, lookup(env, "GASOLINE_ALLOWED_ORIGINS"),
                            "GASOLINE_ALLOWED_ORIGINS");
      !ok)
    return ok;
  if (auto ok = add_origins(s.origins.trusted, lookup(env, "GASOLINE_TRUSTED_ORIGINS"),
                            "GASOLINE_TRUSTED_ORIGINS");
      !ok)
    return ok;
  if (auto v = lookup(env, "GASOLINE_TOOLSETS"); !v.empty())
    return set_toolsets(s, v, "GASOLINE_TOOLSETS");
  return std::monostate{};
}

setting_outcome apply_browser_flags(browser_settings& into, const settings_flags& flags) {
  if (flags.browser_start) {
    const auto start = read_browser_start(*flags.browser_start, "--browser");
    if (!start)
      return tl::unexpected(start.error());
    into.start = *start;
  }
  if (flags.browser_program)
    into.program = *flags.browser_program;
  if (flags.browser_headless)
    into.headless = true;
  into.arguments.insert(into.arguments.end(), flags.browser_arguments.begin(),
                        flags.browser_arguments.end());
  return std::monostate{};
}

setting_outcome apply_flags(settings& s, const settings_flags& flags) {
  if (flags.host)
    if (auto ok = set_host(s, *flags.host, "--host"); !ok)
      return ok;
  if (flags.port)
    s.port = *flags.port;
  if (flags.state_dir && flags.state_dir->empty())
    return refused_setting("--state-dir names no directory; give its path.");
  if (flags.state_dir)
    s.state_dir = *flags.state_dir;
  if (flags.record_file)
    s.record_file = *flags.record_file;
  s.channel = flags.channel;
  s.conformance_fixtures = flags.conformance_fixtures;
  if (flags.require_token)
    s.require_token = true;
  if (flags.token_file)
    if (auto ok = set_token_file(s, *flags.token_file, "--token-file"); !ok)
      return ok;
  if (flags.log_level)
    if (auto ok = set_choice(s.log_level, *flags.log_level, known_log_levels(), "--log-level"); !ok)
      return ok;
  for (const auto& text : flags.allowed_origins)
    if (auto ok = add_origins(s.origins.allowed, text, "--allowed-origin"); !ok)
      return ok;
  for (const auto& text : flags.trusted_origins)
    if (auto ok = add_origins(s.origins.trusted, text, "--trusted-origin"); !ok)
      return ok;
  if (auto ok = apply_browser_flags(s.browser, flags); !ok)
    return ok;
  if (flags.toolsets)
    return set_toolsets(s, *flags.toolsets, "--toolsets");
  return std::monostate{};
}

} // namespace

bool settings::has_toolset(std::string_view name) const {
  return std::find(toolsets.begin(), toolsets.end(), name) != toolsets.end();
}

environment process_environment() {
  environment env;
  for (const auto* name : variables)
    if (const char* value = std::getenv(name))
      env.emplace(name, value);
  return env;
}

result_or<settings> apply_config_text(settings base, std::string_view text,
                                      std::string_view file_name) {
  const auto document = read_settings_document(text, file_name);
  if (!document)
    return tl::unexpected(document.error());
  for (const auto& [key, value] : document->items())
    if (auto ok = apply_setting(base, key, value, file_name); !ok)
      return tl::unexpected(ok.error());
  if (base.alerts_shared && !base.streams_on_nats)
    return refused_setting(
        std::string{file_name} +
        R"(: alerts.share needs {"streams":{"backend":"nats"}}, where they are shared.)");
  const auto& l = base.limit;
  if (l.memory.soft_bytes >= l.memory.hard_bytes || l.memory.hard_bytes >= l.memory.critical_bytes)
    return refused_setting(
        std::string{file_name} +
        ": limits.memory_soft_bytes < memory_hard_bytes < memory_critical_bytes must hold.");
  return base;
}

result_or<settings> load_settings(const settings_flags& flags, const environment& env) {
  settings defaults;
  defaults.state_dir = usual_state_directory(env);
  auto s = apply_config_file(std::move(defaults), flags, env);
  if (!s)
    return s;
  if (auto ok = apply_environment(*s, env); !ok)
    return tl::unexpected(ok.error());
  if (auto ok = apply_flags(*s, flags); !ok)
    return tl::unexpected(ok.error());
  s->attach_socket = attach_socket_of(s->state_dir, env);
  return s;
}

} // namespace gasoline

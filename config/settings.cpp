#include "config/settings.hpp"

#include "config/quoted_value.hpp"
#include "config/state_location.hpp"
#include "config/trusted_file.hpp"

#include <nlohmann/json.hpp>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <set>
#include <system_error>
#include <variant>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> known_toolsets{"core", "streams", "compat"};
constexpr std::array<std::string_view, 6> known_log_levels{"trace",   "debug", "info",
                                                           "warning", "error", "off"};
constexpr std::array<std::string_view, 3> loopback_hosts{"127.0.0.1", "localhost", "::1"};
constexpr std::array<std::string_view, 6> budget_metrics{"lcp",  "fcp",  "inp",
                                                         "ttfb", "load", "cls"};
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

using status = result_or<std::monostate>;

tl::unexpected<user_error> refuse(std::string text) {
  return tl::unexpected(user_error{std::move(text)});
}

template <class Range>
std::string listed(const Range& names) {
  std::string out;
  for (const auto& name : names) {
    if (!out.empty())
      out += ", ";
    out += name;
  }
  return out;
}

/// The value of a setting that is a text and not empty; `valid` says what is taken, as in "must be
/// the path of a file".
result_or<std::string> needed_text(const json& value, std::string_view where,
                                   std::string_view valid) {
  if (value.is_string() && !value.get_ref<const std::string&>().empty())
    return value.get<std::string>();
  return refuse(std::string{where} + " must be " + std::string{valid} + " as a text, not " +
                quoted_value(value) + ".");
}

template <class Range>
status set_choice(std::string& target, const std::string& value, const Range& valid,
                  std::string_view where) {
  if (std::find(valid.begin(), valid.end(), value) == valid.end())
    return refuse(std::string{where} + ": '" + value + "' is not valid; use one of " +
                  listed(valid) + ".");
  target = value;
  return std::monostate{};
}

status set_host(settings& s, const std::string& value, std::string_view where) {
  if (std::find(loopback_hosts.begin(), loopback_hosts.end(), value) == loopback_hosts.end())
    return refuse(std::string{where} + ": '" + value +
                  "' is not a loopback address; use 127.0.0.1 or ::1. The server has no business "
                  "on other interfaces.");
  s.host = value == "localhost" ? "127.0.0.1" : value;
  return std::monostate{};
}

status read_port(settings& s, const json& value, std::string_view where) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 65535)
    return refuse(std::string{where} + " must be a whole number from 0 (any free port) to 65535, " +
                  "not " + quoted_value(value) + ".");
  s.port = static_cast<std::uint16_t>(value.get<std::uint64_t>());
  return std::monostate{};
}

status read_listen_also(settings& s, const json& value, std::string_view where) {
  constexpr std::size_t most = 8;
  const auto is_port = [](const json& port) {
    return port.is_number_unsigned() && port.get<std::uint64_t>() <= 65535;
  };
  if (!value.is_array() || value.size() > most || !std::all_of(value.begin(), value.end(), is_port))
    return refuse(std::string{where} +
                  " must be a list of at most 8 ports such as [4318, 8969], not " +
                  quoted_value(value) + ".");
  for (const auto& port : value)
    s.listen_also.push_back(static_cast<std::uint16_t>(port.get<std::uint64_t>()));
  return std::monostate{};
}

status set_port(settings& s, const std::string& value, std::string_view where) {
  unsigned port = 0;
  const auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), port);
  if (ec != std::errc{} || end != value.data() + value.size() || port > 65535)
    return refuse(std::string{where} + ": '" + value +
                  "' is not a port; use 0 (any free port) to 65535.");
  s.port = static_cast<std::uint16_t>(port);
  return std::monostate{};
}

status set_toolsets(settings& s, const std::vector<std::string>& names, std::string_view where) {
  std::vector<std::string> chosen;
  for (const auto& name : names) {
    std::string accepted;
    if (auto ok = set_choice(accepted, name, known_toolsets, where); !ok)
      return ok;
    chosen.push_back(std::move(accepted));
  }
  if (chosen.empty())
    return refuse(std::string{where} +
                  " names no toolset, which would leave no tools; use some of " +
                  listed(known_toolsets) + ".");
  s.toolsets = std::move(chosen);
  return std::monostate{};
}

status set_toolsets(settings& s, const std::string& value, std::string_view where) {
  std::vector<std::string> names;
  std::istringstream in{value};
  for (std::string name; std::getline(in, name, ',');)
    names.push_back(name);
  return set_toolsets(s, names, where);
}

status read_toolsets(settings& s, const json& value, std::string_view where) {
  if (value.is_string())
    return set_toolsets(s, value.get<std::string>(), where);
  std::vector<std::string> names;
  for (const auto& name : value.is_array() ? value : json::array({nullptr})) {
    if (!name.is_string())
      return refuse(std::string{where} + " must be a list of " + listed(known_toolsets) + ", not " +
                    quoted_value(value) + ".");
    names.push_back(name.get<std::string>());
  }
  return set_toolsets(s, names, where);
}

status read_state_dir(settings& s, const json& value, std::string_view where) {
  auto path = needed_text(value, where, "the path of a directory");
  if (!path)
    return tl::unexpected(path.error());
  s.state_dir = std::move(*path);
  return std::monostate{};
}

status set_token_file(settings& s, const std::filesystem::path& file, std::string_view where) {
  if (file.empty())
    return refuse(std::string{where} + " names no file; give the path of a file with the token.");
  s.token_file = file;
  s.require_token = true;
  return std::monostate{};
}

status add_origins(std::vector<origin_pattern>& list, std::string_view text,
                   std::string_view where) {
  auto read = read_origin_list(text);
  if (!read)
    return refuse(std::string{where} + ": " + read.error().message);
  list.insert(list.end(), read->begin(), read->end());
  return std::monostate{};
}

status add_origin_values(std::vector<origin_pattern>& list, const json& value,
                         std::string_view where) {
  if (!value.is_array())
    return refuse(std::string{where} + R"( must be a list such as ["http://myapp.test:3000"].)");
  for (const auto& element : value) {
    if (!element.is_string())
      return refuse(std::string{where} + ": " + element.dump() +
                    R"( is no origin; write texts such as "http://myapp.test:3000".)");
    if (auto ok = add_origins(list, element.get<std::string>(), where); !ok)
      return ok;
  }
  return std::monostate{};
}

status read_token_file(settings& s, const json& value, std::string_view where) {
  const auto path = needed_text(value, where, "the path of a file with the token");
  if (!path)
    return tl::unexpected(path.error());
  return set_token_file(s, std::filesystem::path{*path}, where);
}

status set_require_token(settings& s, const json& value, std::string_view where) {
  if (!value.is_boolean())
    return refuse(std::string{where} + ": " + quoted_value(value) +
                  " is not valid; use true or false.");
  s.require_token = value.get<bool>();
  return std::monostate{};
}

status set_streams(settings& s, const json& value, std::string_view where) {
  if (!value.is_object() || value.size() != 1 || !value.contains("backend"))
    return refuse(std::string{where} +
                  R"( must be {"backend":"memory"} or {"backend":"nats"}, not )" +
                  quoted_value(value) + ".");
  const auto& backend = value["backend"];
  if (backend != "memory" && backend != "nats")
    return refuse(std::string{where} + ".backend: " + quoted_value(backend) +
                  " is not valid; use \"memory\" or \"nats\".");
  if (backend == "nats" && !has_nats_client())
    return refuse(std::string{where} +
                  ".backend: this build has no NATS client, so streams cannot be shared between "
                  "machines; use \"memory\", or build where libnats-dev is installed.");
  s.streams_on_nats = backend == "nats";
  return std::monostate{};
}

status set_nats(settings& s, const json& value, std::string_view where) {
  auto read = read_nats_settings(value, where);
  if (!read)
    return tl::unexpected(read.error());
  s.nats = std::move(*read);
  return std::monostate{};
}

status set_alerts(settings& s, const json& value, std::string_view where) {
  if (!value.is_object() || value.size() != 1 || !value.contains("share") ||
      !value["share"].is_boolean())
    return refuse(std::string{where} + R"( must be {"share":true} or {"share":false}, not )" +
                  quoted_value(value) + ".");
  s.alerts_shared = value["share"].get<bool>();
  return std::monostate{};
}

status set_limit(settings& s, const std::string& name, const json& value, std::string_view where) {
  const auto& table = limit_table();
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const limit_row& r) { return r.name == name; });
  if (row == table.end())
    return refuse(std::string{where} + ": there is no limit '" + name +
                  "'; `gasoline doctor --limits` lists them all.");
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < row->min ||
      value.get<std::uint64_t>() > row->max)
    return refuse(std::string{where} + ": limits." + name + " must be a whole number from " +
                  std::to_string(row->min) + " to " + std::to_string(row->max) + ", not " +
                  quoted_value(value) + ".");
  row->set(s.limit, value.get<std::uint64_t>());
  return std::monostate{};
}

/// Refuses members that a row of a list has not.
status known_members(const json& row, std::string_view where,
                     std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : row.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      return refuse(std::string{where} + "." + name + " is no setting; known are " + listed(known) +
                    ".");
  return std::monostate{};
}

status read_ci_secret_files(settings& s, const json& value, std::string_view where) {
  if (!value.is_object())
    return refuse(std::string{where} +
                  R"( must be an object of CI systems and files, such as {"github":"FILE"}, not )" +
                  quoted_value(value) + ".");
  if (auto ok =
          known_members(value, where, {"github", "gitlab", "jenkins", "circleci", "buildkite"});
      !ok)
    return ok;
  for (const auto& [system, file] : value.items()) {
    auto path = needed_text(file, std::string{where} + "." + system,
                            "the path of a file with the webhook's secret");
    if (!path)
      return tl::unexpected(path.error());
    s.ci_secret_files[system] = std::move(*path);
  }
  return std::monostate{};
}

/// The page pattern of a budget; empty when it has none.
result_or<std::string> page_pattern(const json& budget, std::string_view where) {
  const auto found = budget.find("page");
  if (found == budget.end())
    return std::string{};
  auto pattern = needed_text(*found, std::string{where} + ".page", "an RE2 expression");
  if (!pattern)
    return pattern;
  if (const re2::RE2 compiled{*pattern, re2::RE2::Quiet}; !compiled.ok())
    return refuse(std::string{where} + ": budget page '" + *pattern +
                  "' does not compile: " + compiled.error() + ".");
  return pattern;
}

status add_budget(settings& s, const json& value, std::string_view where) {
  if (!value.is_object() || !value.contains("metric") || !value["metric"].is_string() ||
      !value.contains("limit") || !value["limit"].is_number())
    return refuse(std::string{where} +
                  ": a budget is {\"metric\":\"lcp\",\"page\":\"/checkout\",\"limit\":2500}, not " +
                  quoted_value(value) + ".");
  if (auto ok = known_members(value, where, {"metric", "page", "limit"}); !ok)
    return ok;
  performance_budget b;
  if (auto ok = set_choice(b.metric, value["metric"].get<std::string>(), budget_metrics, where);
      !ok)
    return ok;
  auto page = page_pattern(value, where);
  if (!page)
    return tl::unexpected(page.error());
  b.page_pattern = std::move(*page);
  b.limit = value["limit"].get<double>();
  if (!(b.limit > 0))
    return refuse(std::string{where} + ": a budget's limit must be above 0, not " +
                  quoted_value(value["limit"]) + ".");
  s.budgets.push_back(std::move(b));
  return std::monostate{};
}

status add_redaction_rule(settings& s, const json& value, std::string_view where) {
  if (!value.is_object() || !value.contains("name") || !value["name"].is_string() ||
      !value.contains("pattern") || !value["pattern"].is_string())
    return refuse(std::string{where} +
                  ": a redaction rule is {\"name\":\"ticket\",\"pattern\":\"TCK-[0-9]{6}\"}, not " +
                  quoted_value(value) + ".");
  if (auto ok = known_members(value, where, {"name", "pattern"}); !ok)
    return ok;
  redaction_rule rule{value["name"].get<std::string>(), value["pattern"].get<std::string>()};
  if (!re2::RE2::FullMatch(rule.name, "[A-Za-z0-9-]{1,40}"))
    return refuse(std::string{where} + ": redaction rule name '" + rule.name +
                  "' may hold 1 to 40 letters, digits and '-'.");
  const re2::RE2 compiled{rule.pattern, re2::RE2::Quiet};
  if (!compiled.ok())
    return refuse(std::string{where} + ": redaction rule '" + rule.name +
                  "' does not compile: " + compiled.error() + ".");
  if (re2::RE2::FullMatch("", compiled))
    return refuse(std::string{where} + ": redaction rule '" + rule.name +
                  "' matches the empty text and would mask everything.");
  s.redaction_rules.push_back(std::move(rule));
  return std::monostate{};
}

template <class Add>
status add_each(const json& list, const std::string& where, Add add) {
  if (!list.is_array())
    return refuse(where + " must be a list, not " + quoted_value(list) + ".");
  for (std::size_t i = 0; i < list.size(); ++i)
    if (auto ok = add(list[i], where + "[" + std::to_string(i) + "]"); !ok)
      return ok;
  return std::monostate{};
}

status read_host(settings& s, const json& value, std::string_view where) {
  const auto host = needed_text(value, where, "127.0.0.1 or ::1");
  if (!host)
    return tl::unexpected(host.error());
  return set_host(s, *host, where);
}

status read_log_level(settings& s, const json& value, std::string_view where) {
  const auto level = needed_text(value, where, "one of " + listed(known_log_levels));
  if (!level)
    return tl::unexpected(level.error());
  return set_choice(s.log_level, *level, known_log_levels, where);
}

/// Looks at a document while it is parsed: keys that an object has twice, and nesting without end,
/// are not to be seen in the result.
class document_watch {
 public:
  /// What the parser tells of, with the levels around it; false: that value is not kept.
  bool see(int levels, json::parse_event_t event, const json& parsed) {
    if (levels > most_levels) {
      too_deep_ = true;
      return false;
    }
    if (event == json::parse_event_t::object_start)
      open_.emplace_back();
    else if (event == json::parse_event_t::object_end && !open_.empty())
      open_.pop_back();
    else if (event == json::parse_event_t::key)
      see_key(parsed.get<std::string>());
    return true;
  }

  /// The first key that is there twice, as its path; empty: there is none.
  const std::string& repeated() const { return repeated_; }

  /// Whether the document nests deeper than any setting does; what is deeper was left out.
  bool too_deep() const { return too_deep_; }

 private:
  static constexpr int most_levels = 16;

  struct open_object {
    std::set<std::string> keys;
    std::string current;
  };

  void see_key(const std::string& key) {
    auto& object = open_.back();
    object.current = key;
    if (object.keys.insert(key).second || !repeated_.empty())
      return;
    for (const auto& level : open_)
      repeated_ += (repeated_.empty() ? "" : ".") + level.current;
  }

  std::vector<open_object> open_;
  std::string repeated_;
  bool too_deep_ = false;
};

status apply_key(settings& s, const std::string& key, const json& value, std::string_view file) {
  const auto where = std::string{file} + ": " + key;
  if (key == "host")
    return read_host(s, value, where);
  if (key == "port")
    return read_port(s, value, where);
  if (key == "listen_also")
    return read_listen_also(s, value, where);
  if (key == "state_dir")
    return read_state_dir(s, value, where);
  if (key == "log_level")
    return read_log_level(s, value, where);
  if (key == "toolsets")
    return read_toolsets(s, value, where);
  if (key == "allowed_origins")
    return add_origin_values(s.origins.allowed, value, where);
  if (key == "trusted_origins")
    return add_origin_values(s.origins.trusted, value, where);
  if (key == "require_token")
    return set_require_token(s, value, where);
  if (key == "streams")
    return set_streams(s, value, where);
  if (key == "nats")
    return set_nats(s, value, where);
  if (key == "alerts")
    return set_alerts(s, value, where);
  if (key == "token_file")
    return read_token_file(s, value, where);
  if (key == "ci_secret_files")
    return read_ci_secret_files(s, value, where);
  if (key == "budgets")
    return add_each(value, where,
                    [&](const json& b, const std::string& at) { return add_budget(s, b, at); });
  if (key == "redaction_rules")
    return add_each(value, where, [&](const json& r, const std::string& at) {
      return add_redaction_rule(s, r, at);
    });
  if (key == "sessions")
    return read_session_settings(s.sessions, value, where);
  if (key == "browser")
    return read_browser_settings(s.browser, value, where);
  if (key == "interact")
    return read_interact_settings(s.browser, value, where);
  if (key == "limits") {
    if (!value.is_object())
      return refuse(where + " must be an object of names and numbers, not " + quoted_value(value) +
                    ".");
    for (const auto& [name, number] : value.items())
      if (auto ok = set_limit(s, name, number, file); !ok)
        return ok;
    return std::monostate{};
  }
  return refuse(
      where + " is no setting; known are host, port, listen_also, state_dir, log_level, toolsets, "
              "allowed_origins, trusted_origins, streams, nats, alerts, sessions, "
              "require_token, token_file, ci_secret_files, budgets, "
              "redaction_rules, browser, interact, limits.");
}

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
    return refuse(text.error().message + " Name another file with --config.");
  return apply_config_text(std::move(s), *text, file.string());
}

status apply_environment(settings& s, const environment& env) {
  if (auto v = lookup(env, "GASOLINE_HOST"); !v.empty())
    if (auto ok = set_host(s, v, "GASOLINE_HOST"); !ok)
      return ok;
  if (auto v = lookup(env, "GASOLINE_PORT"); !v.empty())
    if (auto ok = set_port(s, v, "GASOLINE_PORT"); !ok)
      return ok;
  if (auto v = lookup(env, "GASOLINE_STATE_DIR"); !v.empty())
    s.state_dir = v;
  if (auto v = lookup(env, "GASOLINE_LOG_LEVEL"); !v.empty())
    if (auto ok = set_choice(s.log_level, v, known_log_levels, "GASOLINE_LOG_LEVEL"); !ok)
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

status apply_browser_flags(browser_settings& into, const settings_flags& flags) {
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

status apply_flags(settings& s, const settings_flags& flags) {
  if (flags.host)
    if (auto ok = set_host(s, *flags.host, "--host"); !ok)
      return ok;
  if (flags.port)
    s.port = *flags.port;
  if (flags.state_dir && flags.state_dir->empty())
    return refuse("--state-dir names no directory; give its path.");
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
    if (auto ok = set_choice(s.log_level, *flags.log_level, known_log_levels, "--log-level"); !ok)
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
  document_watch watch;
  const auto document = json::parse(
      text,
      [&](int levels, json::parse_event_t event, json& parsed) {
        return watch.see(levels, event, parsed);
      },
      false, true);
  if (watch.too_deep())
    return refuse(std::string{file_name} + " nests deeper than any setting does.");
  if (!watch.repeated().empty())
    return refuse(std::string{file_name} + ": " + watch.repeated() +
                  " is given twice, of which one would be ignored; keep one of them.");
  if (document.is_discarded())
    return refuse(std::string{file_name} + " is not valid JSON (comments are allowed).");
  if (!document.is_object())
    return refuse(std::string{file_name} + " must hold one JSON object.");
  for (const auto& [key, value] : document.items())
    if (auto ok = apply_key(base, key, value, file_name); !ok)
      return tl::unexpected(ok.error());
  if (base.alerts_shared && !base.streams_on_nats)
    return refuse(std::string{file_name} +
                  R"(: alerts.share needs {"streams":{"backend":"nats"}}, where they are shared.)");
  const auto& l = base.limit;
  if (l.memory.soft_bytes >= l.memory.hard_bytes || l.memory.hard_bytes >= l.memory.critical_bytes)
    return refuse(
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

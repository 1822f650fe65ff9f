#include "config/setting_keys.hpp"

#include "config/values/quoted_value.hpp"

#include <nlohmann/json.hpp>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 6> budget_metrics{"lcp",  "fcp",  "inp",
                                                         "ttfb", "load", "cls"};
constexpr std::array<std::string_view, 3> budget_members{"metric", "page", "limit"};
constexpr std::array<std::string_view, 2> rule_members{"name", "pattern"};
constexpr std::array<std::string_view, 5> hook_systems{"github", "gitlab", "jenkins", "circleci",
                                                       "buildkite"};

setting_outcome read_host(settings& s, const json& value, std::string_view where) {
  const auto host = needed_text(value, where, "127.0.0.1 or ::1");
  if (!host)
    return tl::unexpected(host.error());
  return set_host(s, *host, where);
}

setting_outcome read_port(settings& s, const json& value, std::string_view where) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 65535)
    return refused_setting(std::string{where} +
                           " must be a whole number from 0 (any free port) to 65535, " + "not " +
                           quoted_value(value) + ".");
  s.port = static_cast<std::uint16_t>(value.get<std::uint64_t>());
  return std::monostate{};
}

setting_outcome read_listen_also(settings& s, const json& value, std::string_view where) {
  constexpr std::size_t most = 8;
  const auto is_port = [](const json& port) {
    return port.is_number_unsigned() && port.get<std::uint64_t>() <= 65535;
  };
  if (!value.is_array() || value.size() > most || !std::all_of(value.begin(), value.end(), is_port))
    return refused_setting(std::string{where} +
                           " must be a list of at most 8 ports such as [4318, 8969], not " +
                           quoted_value(value) + ".");
  for (const auto& port : value)
    s.listen_also.push_back(static_cast<std::uint16_t>(port.get<std::uint64_t>()));
  return std::monostate{};
}

setting_outcome read_state_dir(settings& s, const json& value, std::string_view where) {
  auto path = needed_text(value, where, "the path of a directory");
  if (!path)
    return tl::unexpected(path.error());
  s.state_dir = std::move(*path);
  return std::monostate{};
}

setting_outcome read_log_level(settings& s, const json& value, std::string_view where) {
  const auto level = needed_text(value, where, "one of " + comma_separated(known_log_levels()));
  if (!level)
    return tl::unexpected(level.error());
  return set_choice(s.log_level, *level, known_log_levels(), where);
}

setting_outcome read_toolsets(settings& s, const json& value, std::string_view where) {
  if (value.is_string())
    return set_toolsets(s, value.get<std::string>(), where);
  std::vector<std::string> names;
  for (const auto& name : value.is_array() ? value : json::array({nullptr})) {
    if (!name.is_string())
      return refused_setting(std::string{where} + " must be a list of " +
                             comma_separated(known_toolsets()) + ", not " + quoted_value(value) +
                             ".");
    names.push_back(name.get<std::string>());
  }
  return set_toolsets(s, names, where);
}

setting_outcome add_origin_values(std::vector<origin_pattern>& list, const json& value,
                                  std::string_view where) {
  if (!value.is_array())
    return refused_setting(std::string{where} +
                           R"( must be a list such as ["http://myapp.test:3000"].)");
  for (const auto& element : value) {
    if (!element.is_string())
      return refused_setting(std::string{where} + ": " + element.dump() +
                             R"( is no origin; write texts such as "http://myapp.test:3000".)");
    if (auto ok = add_origins(list, element.get<std::string>(), where); !ok)
      return ok;
  }
  return std::monostate{};
}

setting_outcome read_allowed_origins(settings& s, const json& value, std::string_view where) {
  return add_origin_values(s.origins.allowed, value, where);
}

setting_outcome read_trusted_origins(settings& s, const json& value, std::string_view where) {
  return add_origin_values(s.origins.trusted, value, where);
}

setting_outcome read_token_file(settings& s, const json& value, std::string_view where) {
  const auto path = needed_text(value, where, "the path of a file with the token");
  if (!path)
    return tl::unexpected(path.error());
  return set_token_file(s, std::filesystem::path{*path}, where);
}

setting_outcome set_require_token(settings& s, const json& value, std::string_view where) {
  if (!value.is_boolean())
    return refused_setting(std::string{where} + ": " + quoted_value(value) +
                           " is not valid; use true or false.");
  s.require_token = value.get<bool>();
  return std::monostate{};
}

setting_outcome set_streams(settings& s, const json& value, std::string_view where) {
  if (!value.is_object() || value.size() != 1 || !value.contains("backend"))
    return refused_setting(std::string{where} +
                           R"( must be {"backend":"memory"} or {"backend":"nats"}, not )" +
                           quoted_value(value) + ".");
  const auto& backend = value["backend"];
  if (backend != "memory" && backend != "nats")
    return refused_setting(std::string{where} + ".backend: " + quoted_value(backend) +
                           " is not valid; use \"memory\" or \"nats\".");
  if (backend == "nats" && !has_nats_client())
    return refused_setting(
        std::string{where} +
        ".backend: this build has no NATS client, so streams cannot be shared between "
        "machines; use \"memory\", or build where libnats-dev is installed.");
  s.streams_on_nats = backend == "nats";
  return std::monostate{};
}

setting_outcome set_nats(settings& s, const json& value, std::string_view where) {
  auto read = read_nats_settings(value, where);
  if (!read)
    return tl::unexpected(read.error());
  s.nats = std::move(*read);
  return std::monostate{};
}

setting_outcome set_alerts(settings& s, const json& value, std::string_view where) {
  if (!value.is_object() || value.size() != 1 || !value.contains("share") ||
      !value["share"].is_boolean())
    return refused_setting(std::string{where} +
                           R"( must be {"share":true} or {"share":false}, not )" +
                           quoted_value(value) + ".");
  s.alerts_shared = value["share"].get<bool>();
  return std::monostate{};
}

/// Refuses members that a row of a list has not.
setting_outcome known_members(const json& row, std::string_view where,
                              std::span<const std::string_view> known) {
  for (const auto& [name, value] : row.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      return refused_setting(std::string{where} + "." + name + " is no setting; known are " +
                             comma_separated(known) + ".");
  return std::monostate{};
}

setting_outcome read_ci_secret_files(settings& s, const json& value, std::string_view where) {
  if (!value.is_object())
    return refused_setting(
        std::string{where} +
        R"( must be an object of CI systems and files, such as {"github":"FILE"}, not )" +
        quoted_value(value) + ".");
  if (auto ok = known_members(value, where, hook_systems); !ok)
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
    return refused_setting(std::string{where} + ": budget page '" + *pattern +
                           "' does not compile: " + compiled.error() + ".");
  return pattern;
}

setting_outcome add_budget(settings& s, const json& value, std::string_view where) {
  if (!value.is_object() || !value.contains("metric") || !value["metric"].is_string() ||
      !value.contains("limit") || !value["limit"].is_number())
    return refused_setting(
        std::string{where} +
        ": a budget is {\"metric\":\"lcp\",\"page\":\"/checkout\",\"limit\":2500}, not " +
        quoted_value(value) + ".");
  if (auto ok = known_members(value, where, budget_members); !ok)
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
    return refused_setting(std::string{where} + ": a budget's limit must be above 0, not " +
                           quoted_value(value["limit"]) + ".");
  s.budgets.push_back(std::move(b));
  return std::monostate{};
}

setting_outcome add_redaction_rule(settings& s, const json& value, std::string_view where) {
  if (!value.is_object() || !value.contains("name") || !value["name"].is_string() ||
      !value.contains("pattern") || !value["pattern"].is_string())
    return refused_setting(
        std::string{where} +
        ": a redaction rule is {\"name\":\"ticket\",\"pattern\":\"TCK-[0-9]{6}\"}, not " +
        quoted_value(value) + ".");
  if (auto ok = known_members(value, where, rule_members); !ok)
    return ok;
  redaction_rule rule{value["name"].get<std::string>(), value["pattern"].get<std::string>()};
  if (!re2::RE2::FullMatch(rule.name, "[A-Za-z0-9-]{1,40}"))
    return refused_setting(std::string{where} + ": redaction rule name '" + rule.name +
                           "' may hold 1 to 40 letters, digits and '-'.");
  const re2::RE2 compiled{rule.pattern, re2::RE2::Quiet};
  if (!compiled.ok())
    return refused_setting(std::string{where} + ": redaction rule '" + rule.name +
                           "' does not compile: " + compiled.error() + ".");
  if (re2::RE2::FullMatch("", compiled))
    return refused_setting(std::string{where} + ": redaction rule '" + rule.name +
                           "' matches the empty text and would mask everything.");
  s.redaction_rules.push_back(std::move(rule));
  return std::monostate{};
}

template <class Add>
setting_outcome add_each(const json& list, std::string_view where, Add add) {
  if (!list.is_array())
    return refused_setting(std::string{where} + " must be a list, not " + quoted_value(list) + ".");
  for (std::size_t i = 0; i < list.size(); ++i)
    if (auto ok = add(list[i], std::string{where} + "[" + std::to_string(i) + "]"); !ok)
      return ok;
  return std::monostate{};
}

setting_outcome read_budgets(settings& s, const json& value, std::string_view where) {
  return add_each(value, where,
                  [&](const json& b, const std::string& at) { return add_budget(s, b, at); });
}

setting_outcome read_redaction_rules(settings& s, const json& value, std::string_view where) {
  return add_each(value, where, [&](const json& r, const std::string& at) {
    return add_redaction_rule(s, r, at);
  });
}

setting_outcome read_sessions(settings& s, const json& value, std::string_view where) {
  return read_session_settings(s.sessions, value, std::string{where});
}

setting_outcome read_browser(settings& s, const json& value, std::string_view where) {
  return read_browser_settings(s.browser, value, std::string{where});
}

setting_outcome read_interact(settings& s, const json& value, std::string_view where) {
  return read_interact_settings(s.browser, value, std::string{where});
}

setting_outcome set_limit(settings& s, const std::string& name, const json& value,
                          std::string_view file) {
  const auto& table = limit_table();
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const limit_row& r) { return r.name == name; });
  if (row == table.end())
    return refused_setting(std::string{file} + ": there is no limit '" + name +
                           "'; `gasoline doctor --limits` lists them all.");
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < row->min ||
      value.get<std::uint64_t>() > row->max)
    return refused_setting(std::string{file} + ": limits." + name +
                           " must be a whole number from " + std::to_string(row->min) + " to " +
                           std::to_string(row->max) + ", not " + quoted_value(value) + ".");
  row->set(s.limit, value.get<std::uint64_t>());
  return std::monostate{};
}

setting_outcome read_limits(settings& s, const json& value, std::string_view where) {
  if (!value.is_object())
    return refused_setting(std::string{where} + " must be an object of names and numbers, not " +
                           quoted_value(value) + ".");
  const auto file = where.substr(0, where.rfind(": ")); // a limit is named by itself
  for (const auto& [name, number] : value.items())
    if (auto ok = set_limit(s, name, number, file); !ok)
      return ok;
  return std::monostate{};
}

/// One key of a settings file.
struct setting_row {
  std::string_view key;
  setting_outcome (*read)(settings& s, const json& value, std::string_view where);
};

constexpr setting_row setting_rows[] = {
    {"host", read_host},
    {"port", read_port},
    {"listen_also", read_listen_also},
    {"state_dir", read_state_dir},
    {"log_level", read_log_level},
    {"toolsets", read_toolsets},
    {"allowed_origins", read_allowed_origins},
    {"trusted_origins", read_trusted_origins},
    {"streams", set_streams},
    {"nats", set_nats},
    {"alerts", set_alerts},
    {"sessions", read_sessions},
    {"require_token", set_require_token},
    {"token_file", read_token_file},
    {"ci_secret_files", read_ci_secret_files},
    {"budgets", read_budgets},
    {"redaction_rules", read_redaction_rules},
    {"browser", read_browser},
    {"interact", read_interact},
    {"limits", read_limits},
};

std::string all_keys() {
  std::vector<std::string_view> names;
  for (const auto& row : setting_rows)
    names.push_back(row.key);
  return comma_separated(names);
}

} // namespace

setting_outcome apply_setting(settings& s, const std::string& key, const json& value,
                              std::string_view file) {
  const auto where = std::string{file} + ": " + key;
  const auto* row = std::find_if(std::begin(setting_rows), std::end(setting_rows),
                                 [&](const setting_row& r) { return r.key == key; });
  if (row == std::end(setting_rows))
    return refused_setting(where + " is no setting; known are " + all_keys() + ".");
  return row->read(s, value, where);
}

} // namespace gasoline

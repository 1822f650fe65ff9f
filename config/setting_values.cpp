#include "config/setting_values.hpp"

#include "config/values/quoted_value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> toolsets{"core", "streams", "compat"};
constexpr std::array<std::string_view, 6> log_levels{"trace",   "debug", "info",
                                                     "warning", "error", "off"};
constexpr std::array<std::string_view, 3> loopback_hosts{"127.0.0.1", "localhost", "::1"};

} // namespace

tl::unexpected<user_error> refused_setting(std::string text) {
  return tl::unexpected(user_error{std::move(text)});
}

std::string comma_separated(std::span<const std::string_view> names) {
  std::string out;
  for (const auto& name : names) {
    if (!out.empty())
      out += ", ";
    out += name;
  }
  return out;
}

result_or<std::string> needed_text(const json& value, std::string_view where,
                                   std::string_view valid) {
  if (value.is_string() && !value.get_ref<const std::string&>().empty())
    return value.get<std::string>();
  return refused_setting(std::string{where} + " must be " + std::string{valid} +
                         " as a text, not " + quoted_value(value) + ".");
}

setting_outcome set_choice(std::string& target, const std::string& value,
                           std::span<const std::string_view> valid, std::string_view where) {
  if (std::find(valid.begin(), valid.end(), value) == valid.end())
    return refused_setting(std::string{where} + ": '" + value + "' is not valid; use one of " +
                           comma_separated(valid) + ".");
  target = value;
  return std::monostate{};
}

std::span<const std::string_view> known_toolsets() {
  return toolsets;
}

std::span<const std::string_view> known_log_levels() {
  return log_levels;
}

setting_outcome set_host(settings& s, const std::string& value, std::string_view where) {
  if (std::find(loopback_hosts.begin(), loopback_hosts.end(), value) == loopback_hosts.end())
    return refused_setting(
        std::string{where} + ": '" + value +
        "' is not a loopback address; use 127.0.0.1 or ::1. The server has no business "
        "on other interfaces.");
  s.host = value == "localhost" ? "127.0.0.1" : value;
  return std::monostate{};
}

setting_outcome set_port(settings& s, const std::string& value, std::string_view where) {
  unsigned port = 0;
  const auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), port);
  if (ec != std::errc{} || end != value.data() + value.size() || port > 65535)
    return refused_setting(std::string{where} + ": '" + value +
                           "' is not a port; use 0 (any free port) to 65535.");
  s.port = static_cast<std::uint16_t>(port);
  return std::monostate{};
}

setting_outcome set_toolsets(settings& s, const std::vector<std::string>& names,
                             std::string_view where) {
  std::vector<std::string> chosen;
  for (const auto& name : names) {
    std::string accepted;
    if (auto ok = set_choice(accepted, name, toolsets, where); !ok)
      return ok;
    chosen.push_back(std::move(accepted));
  }
  if (chosen.empty())
    return refused_setting(std::string{where} +
                           " names no toolset, which would leave no tools; use some of " +
                           comma_separated(toolsets) + ".");
  s.toolsets = std::move(chosen);
  return std::monostate{};
}

setting_outcome set_toolsets(settings& s, const std::string& value, std::string_view where) {
  std::vector<std::string> names;
  std::istringstream in{value};
  for (std::string name; std::getline(in, name, ',');)
    names.push_back(name);
  return set_toolsets(s, names, where);
}

setting_outcome set_token_file(settings& s, const std::filesystem::path& file,
                               std::string_view where) {
  if (file.empty())
    return refused_setting(std::string{where} +
                           " names no file; give the path of a file with the token.");
  s.token_file = file;
  s.require_token = true;
  return std::monostate{};
}

setting_outcome add_origins(std::vector<origin_pattern>& list, std::string_view text,
                            std::string_view where) {
  auto read = read_origin_list(text);
  if (!read)
    return refused_setting(std::string{where} + ": " + read.error().message);
  list.insert(list.end(), read->begin(), read->end());
  return std::monostate{};
}

} // namespace gasoline

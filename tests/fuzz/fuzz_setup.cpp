// A configuration file of somebody else: what is added can be taken out, and nothing else changes.
#include "tools/setup/json_edit.hpp"
#include "tools/setup/json_tree.hpp"
#include "tools/setup/toml_edit.hpp"

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

namespace {

void check(bool holds) {
  if (!holds)
    std::abort();
}

void edit_json(std::string_view text) {
  const json_path path{"mcpServers", "gasoline"};
  const ordered_json value{{"command", "x"}, {"args", {"mcp"}}};
  if (json_value_at(text, path))
    return;
  const auto added = set_json_member(text, path, value);
  if (!added)
    return;
  check(json_value_at(*added, path) == value);
  check(*set_json_member(*added, path, value) == *added);
  const auto had_servers = json_value_at(text, {"mcpServers"});
  auto removed = remove_json_member(*added, path);
  check(removed.has_value());
  if (!had_servers)
    removed = remove_json_member(*removed, {"mcpServers"});
  check(removed.has_value() && !json_value_at(*removed, path));
  check(json_value_at(*removed, {}) == json_value_at(text, {}));
}

void edit_toml(std::string_view text) {
  const toml_lines lines{{"command", "\"x\""}};
  if (text.find("gasoline") != std::string_view::npos)
    return;
  const auto added = set_toml_table(text, "mcp_servers.gasoline", lines);
  if (!added)
    return;
  check(*set_toml_table(*added, "mcp_servers.gasoline", lines) == *added);
  const auto removed = remove_toml_table(*added, "mcp_servers.gasoline");
  check(removed.has_value());
  check(removed->substr(0, text.size()) == text);
}

} // namespace

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  edit_json(text);
  edit_toml(text);
  return 0;
}

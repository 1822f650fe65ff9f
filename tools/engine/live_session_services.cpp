#include "tools/engine/live_session_services.hpp"

#include "actors/agents/providers/provider_table.hpp"
#include "config/http_url.hpp"
#include "tools/engine/access_token.hpp"
#include "transport/http/client/http_client.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

/// A key that was set for a service is not sent where others can read it.
bool is_private(const provider_settings& where) {
  const auto url = parse_http_url(where.base_url);
  return url && (url->secure || is_loopback(*url));
}

/// A key becomes part of a header.
bool can_be_key(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return c > 0x20 && c < 0x7F; });
}

result_or<std::string> key_in_file(const provider_row& row, const std::filesystem::path& file) {
  if (auto key = read_secret_file(file, model_key_use))
    return key;
  return tl::unexpected(user_error{
      "sessions.providers." + std::string{row.name} + ".key_file " + file.string() +
      " must be a file with the key in its one line that no other user can read (chmod 600)."});
}

/// Keys by the variables that they stood in.
using key_variables = std::map<std::string, std::string, std::less<>>;

/// Takes a variable out of the environment and overwrites it there, where other processes of the
/// user could read it.
std::string take_variable(const std::string& name) {
  char* value = std::getenv(name.c_str());
  if (value == nullptr)
    return {};
  std::string out{value};
  ::explicit_bzero(value, out.size());
  ::unsetenv(name.c_str());
  return out;
}

key_variables take_keys() {
  key_variables out;
  for (const char* variable : {"ANTHROPIC_API_KEY", "OPENAI_API_KEY"})
    if (auto key = take_variable(variable); !key.empty())
      out.emplace(variable, std::move(key));
  return out;
}

/// A key in a file is read anew for each call and kept nowhere.
result_or<std::string> read_provider_key(const provider_row& row, const session_settings& sessions,
                                         const key_variables& keys) {
  const auto& where = sessions.*(row.settings);
  if (!where.key_file.empty())
    return key_in_file(row, where.key_file);
  const auto key = keys.find(row.key_variable);
  if (key == keys.end() || !(is_private(where) || where.allow_plain_http))
    return std::string{};
  if (!can_be_key(key->second))
    return tl::unexpected(user_error{std::string{row.key_variable} +
                                     " holds a space or a line break; a key has none."});
  return key->second;
}

} // namespace

std::shared_ptr<session_services>
live_session_services(boost::asio::io_context& io, caf::actor_system& system,
                      const settings& config, std::shared_ptr<const redaction_engine> redaction,
                      std::shared_ptr<const mcp_registry> offers, wall_clock clock,
                      std::shared_ptr<const session_links> links) {
  session_services_setup setup;
  setup.system = &system;
  setup.config = config;
  setup.redaction = std::move(redaction);
  setup.offers = std::move(offers);
  setup.clock = std::move(clock);
  setup.http = std::make_shared<http_client>(io, config.limit);
  setup.key_of = [sessions = config.sessions, keys = take_keys()](std::string_view provider) {
    const auto* row = find_provider(provider);
    return row == nullptr ? result_or<std::string>{std::string{}}
                          : read_provider_key(*row, sessions, keys);
  };
  setup.links = std::move(links);
  return make_session_services(std::move(setup));
}

} // namespace gasoline

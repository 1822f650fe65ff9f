#include "tools/engine/known_secrets.hpp"

#include "actors/agents/providers/provider_table.hpp"
#include "tools/engine/access_token.hpp"

#include <spdlog/spdlog.h>

#include <cstdlib>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

/// The password or token of `nats://user:password@host` and `nats://token@host`; empty: none.
std::string login_of(std::string_view server) {
  const auto scheme = server.find("://");
  const auto begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  const auto end = server.rfind('@');
  if (end == std::string_view::npos || end < begin)
    return {};
  const auto login = server.substr(begin, end - begin);
  const auto colon = login.find(':');
  return std::string{colon == std::string_view::npos ? login : login.substr(colon + 1)};
}

} // namespace

std::vector<std::string> known_secrets(const settings& config, const std::string& token) {
  std::vector<std::string> out{token};
  for (const auto& row : provider_table()) {
    const auto& where = config.sessions.*(row.settings);
    if (!where.key_file.empty())
      out.push_back(read_secret_file(where.key_file, model_key_use).value_or(std::string{}));
    // A key that the file takes the place of is one all the same.
    if (const char* key = std::getenv(std::string{row.key_variable}.c_str()))
      out.emplace_back(key);
  }
  for (const auto& [system, file] : config.ci_secret_files)
    out.push_back(read_secret_file(file, hook_secret_use).value_or(std::string{}));
  for (const auto& [name, secret] : read_page_secrets(config.browser))
    out.push_back(secret);
  for (const auto& server : config.nats.servers)
    out.push_back(login_of(server));
  return out;
}

std::map<std::string, std::string> read_page_secrets(const browser_settings& config) {
  constexpr std::size_t shortest = 8; // what is shorter is not masked where a page shows it
  std::map<std::string, std::string> out;
  for (const auto& [name, file] : config.secret_files) {
    auto secret = read_secret_file(file, page_secret_use);
    if (!secret)
      spdlog::warn("the secret {} is not filled in: {}", name, secret.error().message);
    else if (secret->size() < shortest)
      spdlog::warn("the secret {} is not filled in: under {} bytes it could not be kept out of "
                   "what is told",
                   name, shortest);
    else
      out.emplace(name, std::move(*secret));
  }
  return out;
}

hook_secrets read_hook_secrets(const settings& config) {
  hook_secrets out;
  for (const auto& [system, file] : config.ci_secret_files) {
    auto secret = read_secret_file(file, hook_secret_use);
    if (!secret)
      spdlog::warn("webhooks of {} are refused: {}", system, secret.error().message);
    out[system] = std::move(secret).value_or(std::string{});
  }
  return out;
}

} // namespace gasoline

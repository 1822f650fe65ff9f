#include "tools/engine/known_secrets.hpp"

#include "actors/agents/providers/provider_table.hpp"
#include "actors/redaction/rules/known_values.hpp"
#include "messages/base/own_log.hpp"
#include "tools/engine/access_token.hpp"

#include <cstdlib>
#include <filesystem>
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

result_or<std::string> read_page_secret(const std::filesystem::path& file) {
  constexpr auto shortest = redaction::shortest_known_value;
  auto secret = read_secret_file(file, page_secret_use);
  if (secret && secret->size() < shortest)
    return tl::unexpected(
        user_error{"The secret file " + file.string() + " holds " + std::to_string(secret->size()) +
                   " bytes, and under " + std::to_string(shortest) +
                   " they could not be kept out of what is told; use a longer secret."});
  return secret;
}

} // namespace

std::vector<std::string> known_secrets(const settings& config, const std::string& token,
                                       const hook_secrets& of_hooks, const page_secrets& of_pages) {
  std::vector<std::string> out{token};
  for (const auto& row : provider_table()) {
    const auto& where = config.sessions.*(row.settings);
    if (!where.key_file.empty())
      out.push_back(read_secret_file(where.key_file, model_key_use).value_or(std::string{}));
    // A key that the file takes the place of is one all the same.
    if (const char* key = std::getenv(std::string{row.key_variable}.c_str()))
      out.emplace_back(key);
  }
  for (const auto& [system, secret] : of_hooks)
    out.push_back(secret);
  for (const auto& [name, secret] : of_pages)
    out.push_back(secret.text);
  for (const auto& server : config.nats.servers)
    out.push_back(login_of(server));
  return out;
}

page_secrets read_page_secrets(const browser_settings& config) {
  page_secrets out;
  for (const auto& [name, file] : config.secret_files) {
    auto secret = read_page_secret(file);
    if (!secret)
      own_log::warn("the secret {} is not filled in: {}", name, secret.error().message);
    out[name] = secret ? page_secret{std::move(*secret), {}}
                       : page_secret{{}, std::move(secret.error().message)};
  }
  return out;
}

hook_secrets read_hook_secrets(const settings& config) {
  hook_secrets out;
  for (const auto& [system, file] : config.ci_secret_files) {
    auto secret = read_secret_file(file, hook_secret_use);
    if (!secret)
      own_log::warn("webhooks of {} are refused: {}", system, secret.error().message);
    out[system] = std::move(secret).value_or(std::string{});
  }
  return out;
}

} // namespace gasoline

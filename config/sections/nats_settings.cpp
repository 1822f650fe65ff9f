#include "config/sections/nats_settings.hpp"

#include "config/values/quoted_value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <system_error>

namespace gasoline {
namespace {

using nlohmann::json;
using nats_problem = std::optional<user_error>;

constexpr std::array<std::string_view, 2> nats_schemes{"nats://", "tls://"};
constexpr std::uint64_t most_replicas = 5;

user_error problem_at(std::string_view where, std::string_view name, std::string_view sentence) {
  return {std::string{where} + "." + std::string{name} + std::string{sentence}};
}

bool is_server_url(std::string_view text) {
  return std::any_of(nats_schemes.begin(), nats_schemes.end(), [&](std::string_view scheme) {
    return text.starts_with(scheme) && text.size() > scheme.size() && !text.ends_with('@') &&
           text.find_first_of(" \t\r\n") == std::string_view::npos;
  });
}

nats_problem read_url(nats_settings& out, const json& value, std::string_view where) {
  std::vector<std::string> servers;
  std::istringstream in{value.is_string() ? value.get<std::string>() : std::string{}};
  for (std::string server; std::getline(in, server, ',');)
    servers.push_back(server);
  if (servers.empty() || !std::all_of(servers.begin(), servers.end(), is_server_url))
    return problem_at(where, "url",
                      " must name a server such as nats://127.0.0.1:4222, or several joined by "
                      "commas; tls:// encrypts, nats://USER:PASSWORD@HOST and nats://TOKEN@HOST "
                      "log in.");
  out.servers = std::move(servers);
  return std::nullopt;
}

nats_problem read_replicas(nats_settings& out, const json& value, std::string_view where) {
  if (!value.is_number_unsigned() || value < 1U || value > most_replicas)
    return problem_at(where, "replicas",
                      " must be a whole number from 1 to 5, at most one a server of the cluster, "
                      "not " +
                          quoted_value(value) + ".");
  out.replicas = value.get<std::uint64_t>();
  return std::nullopt;
}

nats_problem read_file(std::filesystem::path& out, const json& value, std::string_view where,
                       std::string_view name) {
  if (!value.is_string())
    return problem_at(where, name,
                      " must be the path of a file as a text, not " + quoted_value(value) + ".");
  std::error_code ec;
  out = value.get<std::string>();
  if (!std::filesystem::is_regular_file(out, ec))
    return problem_at(where, name, ": there is no file '" + out.string() + "'.");
  return std::nullopt;
}

nats_problem read_when_lost(nats_settings& out, const json& value, std::string_view where) {
  if (value != "fail" && value != "wait")
    return problem_at(where, "when_lost",
                      " must be \"fail\" (publishing without a server is refused) or \"wait\" (it "
                      "is answered once a server has the event), not " +
                          quoted_value(value) + ".");
  out.waits_when_lost = value == "wait";
  return std::nullopt;
}

nats_problem read_tls(nats_settings& out, const json& section, std::string_view where) {
  if (!section.is_object())
    return problem_at(where, "tls",
                      " must be {\"ca\":FILE,\"cert\":FILE,\"key\":FILE}, not " +
                          quoted_value(section) + ".");
  const std::array<std::pair<std::string_view, std::filesystem::path*>, 3> rows{
      {{"ca", &out.tls_ca}, {"cert", &out.tls_cert}, {"key", &out.tls_key}}};
  for (const auto& [key, value] : section.items()) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&, &name = key](const auto& r) { return r.first == name; });
    if (row == rows.end())
      return problem_at(where, "tls." + key, " is no setting; known are ca, cert, key.");
    if (auto problem = read_file(*row->second, value, where, "tls." + key))
      return problem;
  }
  if (out.tls_cert.empty() != out.tls_key.empty())
    return problem_at(where, "tls", " needs cert and key together, or neither.");
  return std::nullopt;
}

nats_problem read_key(nats_settings& out, const std::string& key, const json& value,
                      std::string_view where) {
  if (key == "url")
    return read_url(out, value, where);
  if (key == "replicas")
    return read_replicas(out, value, where);
  if (key == "credentials_file")
    return read_file(out.credentials_file, value, where, key);
  if (key == "tls")
    return read_tls(out, value, where);
  if (key == "when_lost")
    return read_when_lost(out, value, where);
  return problem_at(where, key,
                    " is no setting; known are url, replicas, credentials_file, tls, when_lost.");
}

} // namespace

bool has_nats_client() {
  return GASOLINE_HAS_NATS;
}

result_or<nats_settings> read_nats_settings(const json& section, std::string_view where) {
  if (!section.is_object())
    return tl::unexpected(user_error{std::string{where} + " must be an object such as "
                                                          "{\"url\":\"nats://127.0.0.1:4222\"}."});
  nats_settings out;
  for (const auto& [key, value] : section.items())
    if (auto problem = read_key(out, key, value, where))
      return tl::unexpected(std::move(*problem));
  return out;
}

std::string shown_servers(const nats_settings& nats) {
  std::string out;
  for (const auto& server : nats.servers) {
    const auto scheme = server.find("://") + 3;
    const auto login = server.rfind('@');
    const auto host = login == std::string::npos ? scheme : login + 1;
    out += (out.empty() ? "" : ", ") + server.substr(0, scheme) + server.substr(host);
  }
  return out;
}

} // namespace gasoline

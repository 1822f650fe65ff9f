#pragma once

#include "config/values/user_error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// How the NATS server that keeps shared streams is reached.
struct nats_settings {
  std::vector<std::string> servers{"nats://127.0.0.1:4222"}; ///< the first that answers is used
  std::uint64_t replicas = 1;                                ///< of each stream, 1 to 5
  std::filesystem::path credentials_file;                    ///< empty: none
  std::filesystem::path tls_ca;                              ///< empty: the system's
  std::filesystem::path tls_cert;                            ///< empty: no client certificate
  std::filesystem::path tls_key;
  bool waits_when_lost = false; ///< what is published without a server waits for one
};

/// Whether this program was built with a NATS client.
bool has_nats_client();

/// Reads the section `nats` of a configuration file; `where` names it in the sentences of errors.
result_or<nats_settings> read_nats_settings(const nlohmann::json& section, std::string_view where);

/// The servers as the user wrote them, without names, passwords and tokens.
std::string shown_servers(const nats_settings& nats);

} // namespace gasoline

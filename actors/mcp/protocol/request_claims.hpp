#pragma once

#include "messages/mcp/mcp.hpp"
#include "messages/mcp/rpc.hpp"

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <optional>
#include <string>

namespace gasoline {

/// Why a request cannot be served, as the error that answers it.
struct rpc_problem {
  rpc_code code = rpc_code::invalid_params;
  std::string sentence;
  nlohmann::json data;
};

/// What a request says about itself in `_meta`.
struct request_claims {
  nlohmann::json progress_token;           ///< string or integer; null: none
  std::optional<log_severity> log_level{}; ///< modern; nothing: no log messages
  nlohmann::json client_info;              ///< modern; null: none given
  nlohmann::json capabilities;             ///< modern; an object
};

/// Whether the params of a request claim the modern era.
bool claims_version(const nlohmann::json& params);

/// What counts of a legacy request's `_meta`: the progress token. A bad one is no error.
request_claims legacy_claims(const nlohmann::json& params);

/// Reads the `_meta` of a modern request with the checks of section 7 in their order: required keys
/// (-32602), the version (-32022), the optional keys (-32602).
tl::expected<request_claims, rpc_problem> modern_claims(const nlohmann::json& params);

/// The answer to a version that is not spoken: -32022 with `supported` and `requested`.
rpc_problem version_problem(const nlohmann::json& requested);

} // namespace gasoline

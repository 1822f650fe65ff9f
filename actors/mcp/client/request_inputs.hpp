#pragma once

#include "actors/mcp/client/client_environment.hpp"
#include "actors/mcp/link/open_request.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace gasoline {

/// The multi-round-trip requests of one client (2026-07-28): what comes back with a retry, and the
/// signed state that ties its rounds together.
class request_inputs {
 public:
  request_inputs(client_id id, const client_environment& env) : id_(id), env_(env) {}

  /// Reads `inputResponses` and `requestState` of a retry into the request; the problem when they
  /// are malformed, forged, expired, or belong to another request or client.
  std::optional<rpc_problem> read(open_request& request, const nlohmann::json& params,
                                  mono_time now) const;

  /// The state as it leaves with the question, signed for this request; empty for null.
  std::string sealed(const nlohmann::json& state, const open_request& request, mono_time now) const;

 private:
  std::string principal_of(const open_request& request) const;

  client_id id_;
  const client_environment& env_;
};

/// The capabilities that the inputs need and the client lacks, as `requiredCapabilities` shows
/// them; `declared` are the capabilities of the client.
nlohmann::json missing_capabilities(const nlohmann::json& declared, const nlohmann::json& inputs);

} // namespace gasoline

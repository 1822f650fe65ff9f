#pragma once

#include "actors/mcp/client/request_context.hpp"

#include <optional>

namespace gasoline {

// Multi-round-trip requests of 2026-07-28.

/// Reads `inputResponses` and `requestState` of a retry into the request; the problem when they are
/// malformed, forged, expired, or belong to another request or client.
std::optional<rpc_problem> read_inputs(client_pointer self, open_request& request,
                                       const nlohmann::json& params);

/// Answers `input_required`, or `capability_missing` when the client cannot give an input.
void ask_for_input(const request_context& context, nlohmann::json inputs,
                   const nlohmann::json& state);

} // namespace gasoline

#pragma once

#include "messages/mcp/mcp.hpp"
#include "messages/mcp/rpc.hpp"
#include "transport/http/http_router.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Why an MCP message is refused before a session sees it.
struct mcp_refusal {
  std::uint16_t status = 400;
  rpc_code code = rpc_code::invalid_request;
  std::string sentence;
  nlohmann::json data; ///< null: none
};

/// Whether an `Accept` header takes this media type, by name or wildcard.
bool accepts(std::string_view accept, std::string_view type);

/// Whether an `Accept` header names this media type itself; a wildcard does not.
bool names_type(std::string_view accept, std::string_view type);

/// Whether a `Content-Type` is `application/json`, with any parameters.
bool is_json_type(std::string_view content_type);

/// The era of a POST: requests
/// are modern by their `_meta` or their version header, notifications and responses by the header
/// alone. `initialize` without such a `_meta` opens a legacy session whatever the headers say.
mcp_era era_of(const http_request_view& head, const rpc_frame& frame);

/// The checks on a modern request that need no session, in the order of the revision.
std::optional<mcp_refusal> check_modern_request(const http_request_view& head,
                                                const rpc_call& call);

/// Checks `Mcp-Param-*` against the arguments of a modern tools/call.
std::optional<mcp_refusal> check_header_parameters(const http_request_view& head,
                                                   const rpc_call& call,
                                                   const std::vector<header_parameter>& declared);

/// Checks `MCP-Protocol-Version` of a message within a legacy session.
std::optional<mcp_refusal> check_legacy_version(const http_request_view& head);

/// Refuses a message that carries one of the headers of a session twice: which one counts would be
/// anyone's guess.
std::optional<mcp_refusal> check_repeated(const http_request_view& head);

/// Refuses a batch whose version header names a revision without batches.
std::optional<mcp_refusal> check_batch(const http_request_view& head);

/// Whether the client of this message knows priming events: its version header says 2025-11-25.
bool knows_priming(const http_request_view& head);

/// The text that a header value stands for: itself, or what is between `=?base64?` and `?=`.
/// Nothing when that is not strict base64 or the value is not visible ASCII.
std::optional<std::string> decode_header_value(std::string_view value);

/// The HTTP status of a modern response with that error code; 0: no error.
std::uint16_t modern_status(std::int32_t error_code);

/// The properties of an input schema that carry `x-mcp-header`.
std::vector<header_parameter> header_parameters_of(const nlohmann::json& input_schema);

/// What `X-Gasoline-Client` says, cut to 256 bytes; empty when it is not there.
std::string_view given_client_name(const http_request_view& head);

/// The name under which calls of a client without session are counted: its `X-Gasoline-Client`,
/// else what its `clientInfo` says, else `anonymous`.
std::string client_identity(const http_request_view& head, const nlohmann::json& params);

} // namespace gasoline

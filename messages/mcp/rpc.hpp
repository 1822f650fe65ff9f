#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gasoline {

/// JSON-RPC error codes in use.
enum class rpc_code : std::int32_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  resource_not_found = -32002,
  header_mismatch = -32020,     ///< 2026-07-28: a header is missing or differs from the body
  capability_missing = -32021,  ///< 2026-07-28: the client did not declare a capability
  version_unsupported = -32022, ///< 2026-07-28: `data` has `supported` and `requested`
  session_not_found = -32001,   ///< legacy HTTP: the session is unknown or has ended
  engine_restarted = -32000     ///< the call was under way when the engine ended
};

/// A request, or a notification when `id` is null.
struct rpc_call {
  nlohmann::json id;
  std::string method;
  nlohmann::json params; ///< object, or null when absent
  /// The `arguments` of a tool as JSON with their members in the caller's order, which `params`
  /// does not keep; empty: it does not count, or the call came in a batch.
  std::string ordered_arguments{};

  bool is_notification() const { return id.is_null(); }
};

/// A peer's response to a request of ours: its result, or its error object.
struct rpc_reply {
  nlohmann::json id;
  nlohmann::json result; ///< null when it is an error
  nlohmann::json error;  ///< null when it is a result
};

/// Something that is no JSON-RPC message; answered with this error.
struct rpc_fault {
  nlohmann::json id; ///< null when it could not be read
  rpc_code code = rpc_code::invalid_request;
  std::string message;
};

using rpc_message = std::variant<rpc_call, rpc_reply, rpc_fault>;

/// The carrier that a frame came with, such as one POST, unique within its session; 0: the client's
/// one connection, as on stdio.
using exchange_id = std::uint64_t;

/// One line or body from a client.
struct rpc_frame {
  bool batch = false; ///< came as a JSON array
  exchange_id exchange = 0;
  std::vector<rpc_message> messages;
  std::shared_ptr<const void> credit; ///< released when the frame has been handled
};

using rpc_frame_ptr = std::shared_ptr<const rpc_frame>;

/// One complete outgoing JSON-RPC message without line break; shared, never changed.
using rpc_text = std::shared_ptr<const std::string>;

/// One message to a client together with the exchange it belongs to. Writers of a single connection
/// ignore all but the text.
struct outgoing {
  rpc_text text;               ///< null: nothing to write, only `last` counts
  exchange_id exchange = 0;    ///< 0: unsolicited
  bool is_response = false;    ///< answers a request of the exchange; else it only relates to it
  std::int32_t error_code = 0; ///< of an error response; 0: none
  bool last = false;           ///< nothing more will come for this exchange
  /// Ends the exchange's stream early, where that can be resumed (2025-11-25); the exchange goes
  /// on.
  bool close_stream = false;
};

using outgoing_ptr = std::shared_ptr<const outgoing>;

/// Serializes a result, an error or a notification. Ill-formed UTF-8 becomes U+FFFD.
std::string result_text(const nlohmann::json& id, const nlohmann::json& result);
std::string error_text(const nlohmann::json& id, rpc_code code, const std::string& message,
                       const nlohmann::json& data = nullptr);

} // namespace gasoline

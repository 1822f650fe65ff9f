#pragma once

#include "config/settings.hpp"
#include "messages/agents/tool.hpp"
#include "messages/mcp/push_config.hpp"
#include "messages/streams/named_stream.hpp"
#include "messages/telemetry/noise.hpp"

#include <nlohmann/json.hpp>

#include <string_view>
#include <variant>

namespace gasoline {

/// `streaming_action: enable` with its checked configuration.
struct enable_streaming {
  push_config config;
};
/// `streaming_action: disable`.
struct disable_streaming {};
/// `streaming_action: status`.
struct show_streaming {};
/// `action: health`.
struct show_health {};
/// `action: clear`.
struct clear_positions {};

/// One checked `configure` call.
using configure_call = std::variant<enable_streaming, disable_streaming, show_streaming,
                                    show_health, clear_positions, noise_command, stream_command>;

/// Checks the arguments of `configure`; the selector is `action` or `what`.
result_or<configure_call> parse_configure(const nlohmann::json& arguments);

/// Checks the arguments of `configure_streaming`, whose `action` is the streaming action.
result_or<configure_call> parse_configure_streaming(const nlohmann::json& arguments);

/// How alerts reach a client that turned streaming on.
enum class push_delivery : std::uint8_t {
  pushed,   ///< as notifications
  asked_for ///< 2026-07-28: such clients may not be pushed to and wait with `observe`
};

/// What one client was sent and what it has read, for the streaming status.
struct delivery_counts {
  push_delivery delivery = push_delivery::pushed;
  std::uint64_t pushed = 0; ///< notifications written to it
  std::uint64_t read = 0;   ///< alerts it took through tool results
};

/// The answers, compact JSON.
tool_result enabled_result(const push_status& status, push_delivery delivery);
tool_result disabled_result(const push_status& status);
tool_result status_result(const push_status& status, const delivery_counts& counts);

} // namespace gasoline

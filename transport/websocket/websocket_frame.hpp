#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// What a WebSocket frame is (RFC 6455, section 11.8).
enum class websocket_opcode : std::uint8_t {
  continuation = 0x0,
  text = 0x1,
  binary = 0x2,
  close = 0x8,
  ping = 0x9,
  pong = 0xA
};

/// Why a WebSocket is closed (RFC 6455, section 7.4.1).
enum class websocket_close : std::uint16_t {
  normal = 1000,
  going_away = 1001,
  protocol_error = 1002,
  unsupported_data = 1003,
  no_status = 1005, ///< never sent: the peer's close frame had no code
  invalid_payload = 1007,
  policy_violation = 1008,
  message_too_big = 1009
};

/// The longest payload of a control frame, in bytes.
inline constexpr std::size_t websocket_control_bytes = 125;

/// The header of a whole, unmasked frame, as servers send it.
class websocket_header {
 public:
  websocket_header() = default; ///< no bytes at all
  websocket_header(websocket_opcode opcode, std::uint64_t payload_bytes);

  std::string_view bytes() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, 10> bytes_{};
  std::uint8_t size_ = 0;
};

/// A whole control frame; `payload` has at most `websocket_control_bytes`.
std::string control_frame(websocket_opcode opcode, std::string_view payload);

/// The payload of a close frame. A reason that does not fit is cut between two characters.
std::string close_payload(std::uint16_t code, std::string_view reason);

/// Whether a peer may send that code in a close frame (RFC 6455, section 7.4).
bool is_sendable_close_code(std::uint16_t code);

} // namespace gasoline

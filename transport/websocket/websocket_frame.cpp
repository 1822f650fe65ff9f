#include "transport/websocket/websocket_frame.hpp"

#include "messages/base/utf8.hpp"

namespace gasoline {
namespace {

constexpr std::uint8_t final_fragment = 0x80;
constexpr std::uint8_t length_in_16_bits = 126;
constexpr std::uint8_t length_in_64_bits = 127;
constexpr std::size_t close_code_bytes = 2;

} // namespace

websocket_header::websocket_header(websocket_opcode opcode, std::uint64_t payload_bytes) {
  const auto put = [this](std::uint64_t byte) { bytes_[size_++] = static_cast<char>(byte); };
  const auto put_number = [&](unsigned bits) {
    for (unsigned shift = bits; shift > 0; shift -= 8)
      put(payload_bytes >> (shift - 8) & 0xFFU);
  };
  put(final_fragment | static_cast<std::uint8_t>(opcode));
  if (payload_bytes < length_in_16_bits) {
    put(payload_bytes);
  } else if (payload_bytes <= 0xFFFFU) {
    put(length_in_16_bits);
    put_number(16);
  } else {
    put(length_in_64_bits);
    put_number(64);
  }
}

std::string control_frame(websocket_opcode opcode, std::string_view payload) {
  std::string out{websocket_header(opcode, payload.size()).bytes()};
  out += payload;
  return out;
}

std::string close_payload(std::uint16_t code, std::string_view reason) {
  std::string out;
  out += static_cast<char>(code >> 8U);
  out += static_cast<char>(code & 0xFFU);
  out += utf8_beginning(reason, websocket_control_bytes - close_code_bytes);
  return out;
}

bool is_sendable_close_code(std::uint16_t code) {
  if (code >= 3000 && code <= 4999)
    return true;
  return code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
}

} // namespace gasoline

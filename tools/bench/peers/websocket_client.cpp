#include "tools/bench/peers/websocket_client.hpp"

#include <cstddef>

namespace gasoline::bench {
namespace {

constexpr unsigned final_text = 0x81;
constexpr unsigned close_opcode = 0x88;
constexpr unsigned masked = 0x80;

/// A frame at the beginning of `bytes`, unmasked as servers send them.
struct frame_view {
  unsigned first = 0;
  std::string_view payload;
  std::size_t size = 0; ///< with its head; 0: not all of it is there yet
};

std::size_t number_in(std::string_view bytes) {
  std::size_t out = 0;
  for (const char c : bytes)
    out = out << 8U | static_cast<unsigned char>(c);
  return out;
}

frame_view frame_in(std::string_view bytes) {
  if (bytes.size() < 2)
    return {};
  std::size_t head = 2;
  std::size_t length = static_cast<unsigned char>(bytes[1]) & 0x7FU;
  const std::size_t extended = length == 126 ? 2 : length == 127 ? 8 : 0;
  if (bytes.size() < head + extended)
    return {};
  if (extended > 0)
    length = number_in(bytes.substr(head, extended));
  head += extended;
  if (bytes.size() < head + length)
    return {};
  return {static_cast<unsigned char>(bytes[0]), bytes.substr(head, length), head + length};
}

} // namespace

websocket_client::websocket_client(std::uint16_t port, std::string_view target) : http_(port) {
  // The key only has to look like one: the answer to it is not what is measured.
  http_.send("GET " + std::string{target} +
             " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  open_ = http_.receive_head() == 101;
}

void websocket_client::send(std::string_view text) {
  std::string frame{static_cast<char>(final_text)};
  if (text.size() < 126) {
    frame += static_cast<char>(masked | text.size());
  } else {
    frame += static_cast<char>(masked | 126U);
    frame += static_cast<char>(text.size() >> 8U);
    frame += static_cast<char>(text.size() & 0xFFU);
  }
  frame.append(4, '\0'); // a mask of zeros changes nothing
  frame += text;
  open_ = http_.send(frame) && open_;
}

bool websocket_client::drain(const std::function<void(std::string_view text)>& take) {
  open_ = http_.drain(bytes_) && open_;
  std::size_t used = 0;
  for (;;) {
    const auto frame = frame_in(std::string_view{bytes_}.substr(used));
    if (frame.size == 0)
      break;
    if (frame.first == final_text)
      take(frame.payload);
    else if (frame.first == close_opcode)
      open_ = false;
    used += frame.size;
  }
  bytes_.erase(0, used);
  return open_;
}

} // namespace gasoline::bench

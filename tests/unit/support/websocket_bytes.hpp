#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline::test {

/// How a client's frame differs from a whole, masked one.
struct frame_shape {
  bool fin = true;
  bool mask = true;
  unsigned reserved = 0; ///< bits of the first byte
};

/// A frame as clients send it.
inline std::string client_frame(unsigned opcode, std::string_view payload, frame_shape shape = {}) {
  std::string out;
  const auto put = [&](std::uint64_t byte) { out += static_cast<char>(byte); };
  put((shape.fin ? 0x80U : 0U) | shape.reserved | opcode);
  const unsigned mask_bit = shape.mask ? 0x80U : 0U;
  unsigned bits = 0;
  if (payload.size() < 126) {
    put(mask_bit | payload.size());
  } else {
    bits = payload.size() <= 0xFFFF ? 16 : 64;
    put(mask_bit | (bits == 16 ? 126U : 127U));
  }
  for (; bits > 0; bits -= 8)
    put(payload.size() >> (bits - 8) & 0xFFU);
  if (!shape.mask)
    return out.append(payload);
  constexpr std::string_view key = "\x37\xFA\x21\x3D";
  out += key;
  for (std::size_t i = 0; i < payload.size(); ++i)
    put(static_cast<unsigned char>(payload[i] ^ key[i % key.size()]));
  return out;
}

/// The first two bytes of a close frame's payload.
inline std::string close_bytes(unsigned code) {
  return {static_cast<char>(code >> 8U), static_cast<char>(code & 0xFFU)};
}

} // namespace gasoline::test

#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace gasoline::test {

// Protobuf by hand, so that tests can also write what no library would.

inline std::string varint(std::uint64_t number) {
  std::string out;
  for (; number >= 0x80; number >>= 7U)
    out += static_cast<char>((number & 0x7FU) | 0x80U);
  return out + static_cast<char>(number);
}

inline std::string tag(std::uint32_t field, std::uint32_t wire_type) {
  return varint((std::uint64_t{field} << 3U) | wire_type);
}

inline std::string number_field(std::uint32_t field, std::uint64_t number) {
  return tag(field, 0) + varint(number);
}

inline std::string fixed64_field(std::uint32_t field, std::uint64_t number) {
  std::string bytes(sizeof(number), '\0');
  std::memcpy(bytes.data(), &number, sizeof(number));
  return tag(field, 1) + bytes;
}

inline std::string bytes_field(std::uint32_t field, std::string_view bytes) {
  return tag(field, 2) + varint(bytes.size()) + std::string{bytes};
}

// Of OTLP.

inline std::string text_value(std::string_view text) {
  return bytes_field(1, text);
}

inline std::string attribute(std::uint32_t field, std::string_view key, std::string_view value) {
  return bytes_field(field, bytes_field(1, key) + bytes_field(2, value));
}

/// An export request of one service with these records.
inline std::string otlp_request(std::string_view service, std::string_view records) {
  const auto resource = bytes_field(1, attribute(1, "service.name", text_value(service)));
  return bytes_field(1, resource + bytes_field(2, records));
}

inline std::string otlp_record(std::string_view record) {
  return bytes_field(2, record);
}

} // namespace gasoline::test

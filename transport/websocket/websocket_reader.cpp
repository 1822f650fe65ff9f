#include "transport/websocket/websocket_reader.hpp"

#include <simdjson.h>

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

constexpr unsigned final_bit = 0x80;
constexpr unsigned reserved_bits = 0x70;
constexpr unsigned opcode_bits = 0x0F;
constexpr unsigned mask_bit = 0x80;
constexpr unsigned length_bits = 0x7F;
constexpr unsigned length_16 = 126;
constexpr unsigned length_64 = 127;
constexpr std::size_t mask_bytes = 4;

constexpr websocket_fault unmasked{websocket_close::protocol_error,
                                   "A client has to mask its frames."};
constexpr websocket_fault reserved_bit{websocket_close::protocol_error,
                                       "A reserved bit is set; no extension is in use."};
constexpr websocket_fault reserved_opcode{websocket_close::protocol_error,
                                          "The opcode of a frame is unknown."};
constexpr websocket_fault bad_control{websocket_close::protocol_error,
                                      "A control frame is fragmented or longer than 125 bytes."};
constexpr websocket_fault bad_length{websocket_close::protocol_error,
                                     "The length of a frame is not written in its shortest form."};
constexpr websocket_fault no_message{websocket_close::protocol_error,
                                     "A continuation has come without a message."};
constexpr websocket_fault open_message{websocket_close::protocol_error,
                                       "A message has begun before the last one has ended."};
constexpr websocket_fault binary_message{websocket_close::unsupported_data,
                                         "Binary messages are not taken; send JSON text."};
constexpr websocket_fault too_big{websocket_close::message_too_big,
                                  "The message is longer than this server takes."};
constexpr websocket_fault bad_text{websocket_close::invalid_payload,
                                   "The text is not valid UTF-8."};
constexpr websocket_fault bad_close{websocket_close::protocol_error,
                                    "The close frame is not valid."};

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

bool is_control(unsigned opcode) {
  return (opcode & 0x8U) != 0;
}

} // namespace

std::optional<websocket_fault> websocket_reader::feed(std::string_view bytes,
                                                      websocket_events& to) {
  while (!done_) {
    if (!in_payload_) {
      bytes.remove_prefix(take_header(bytes));
      if (header_bytes_ < 2 || header_bytes_ < header_size())
        return std::nullopt;
      if (const auto wrong = begin_frame()) {
        done_ = true;
        return wrong;
      }
    }
    const auto part = bytes.substr(0, std::min<std::uint64_t>(left_, bytes.size()));
    take_payload(part);
    bytes.remove_prefix(part.size());
    if (left_ > 0)
      return std::nullopt;
    if (const auto wrong = end_frame(to)) {
      done_ = true;
      return wrong;
    }
  }
  return std::nullopt;
}

/// The header's size as far as its second byte tells.
std::size_t websocket_reader::header_size() const {
  const unsigned length = header_[1] & length_bits;
  const std::size_t extended = length == length_64 ? 8 : length == length_16 ? 2 : 0;
  return 2 + extended + ((header_[1] & mask_bit) != 0 ? mask_bytes : 0);
}

std::size_t websocket_reader::take_header(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && (header_bytes_ < 2 || header_bytes_ < header_size()))
    header_[header_bytes_++] = static_cast<unsigned char>(bytes[used++]);
  return used;
}

std::optional<websocket_fault> websocket_reader::begin_frame() {
  const unsigned opcode = header_[0] & opcode_bits;
  if ((header_[0] & reserved_bits) != 0)
    return reserved_bit;
  if ((header_[1] & mask_bit) == 0)
    return unmasked;
  const unsigned short_length = header_[1] & length_bits;
  std::uint64_t length = short_length;
  if (short_length >= length_16) {
    length = 0;
    for (std::size_t i = 2; i < header_bytes_ - mask_bytes; ++i)
      length = length << 8U | header_[i];
    if (length < length_16 || (short_length == length_64 && length <= 0xFFFFU) || length >> 63U)
      return bad_length;
  }
  left_ = length;
  taken_ = 0;
  in_payload_ = true;
  if (!is_control(opcode))
    return check_data_frame(static_cast<websocket_opcode>(opcode));
  if (opcode > static_cast<unsigned>(websocket_opcode::pong))
    return reserved_opcode;
  if ((header_[0] & final_bit) == 0 || length > websocket_control_bytes)
    return bad_control;
  control_.clear();
  return std::nullopt;
}

std::optional<websocket_fault> websocket_reader::check_data_frame(websocket_opcode opcode) const {
  switch (opcode) {
  case websocket_opcode::continuation:
    if (!in_message_)
      return no_message;
    break;
  case websocket_opcode::text:
    if (in_message_)
      return open_message;
    break;
  case websocket_opcode::binary:
    return binary_message;
  default:
    return reserved_opcode;
  }
  if (left_ > message_cap_ - message_.size())
    return too_big;
  return std::nullopt;
}

void websocket_reader::take_payload(std::string_view bytes) {
  auto& target = is_control(header_[0] & opcode_bits) ? control_ : message_;
  const auto* mask = header_.data() + header_bytes_ - mask_bytes;
  const auto begin = target.size();
  target.append(bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    target[begin + i] = static_cast<char>(bytes[i] ^ mask[(taken_ + i) % mask_bytes]);
  taken_ += bytes.size();
  left_ -= bytes.size();
}

std::optional<websocket_fault> websocket_reader::end_frame(websocket_events& to) {
  in_payload_ = false;
  header_bytes_ = 0;
  switch (static_cast<websocket_opcode>(header_[0] & opcode_bits)) {
  case websocket_opcode::close:
    return end_close(to);
  case websocket_opcode::ping:
    to.on_ping(control_);
    return std::nullopt;
  case websocket_opcode::pong:
    return std::nullopt;
  default:
    in_message_ = (header_[0] & final_bit) == 0;
    return in_message_ ? std::nullopt : end_message(to);
  }
}

std::optional<websocket_fault> websocket_reader::end_message(websocket_events& to) {
  auto text = std::exchange(message_, {});
  if (!is_utf8(text))
    return bad_text;
  to.on_text(std::move(text));
  return std::nullopt;
}

std::optional<websocket_fault> websocket_reader::end_close(websocket_events& to) {
  if (control_.empty()) {
    done_ = true;
    to.on_close(static_cast<std::uint16_t>(websocket_close::no_status));
    return std::nullopt;
  }
  if (control_.size() == 1)
    return bad_close;
  const auto byte = [this](std::size_t i) { return static_cast<unsigned char>(control_[i]); };
  const auto code = static_cast<std::uint16_t>(byte(0) << 8U | byte(1));
  if (!is_sendable_close_code(code))
    return bad_close;
  if (!is_utf8(std::string_view{control_}.substr(2)))
    return bad_text;
  done_ = true;
  to.on_close(code);
  return std::nullopt;
}

} // namespace gasoline

#pragma once

#include "transport/websocket/websocket_frame.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// What a client has said, as `websocket_reader` tells it.
class websocket_events {
 public:
  virtual ~websocket_events() = default;

  /// A whole text message; valid UTF-8.
  virtual void on_text(std::string text) = 0;

  virtual void on_ping(std::string_view payload) = 0;

  /// The close frame; `no_status` when it had no code. Nothing follows.
  virtual void on_close(std::uint16_t code) = 0;
};

/// Why the bytes of a client are refused: the close code and a sentence for the close frame.
struct websocket_fault {
  websocket_close code = websocket_close::protocol_error;
  std::string_view sentence;
};

/// Reads the frames of one client (RFC 6455, section 5): masked text messages, whole or in
/// fragments, without extensions. A frame that is too long is refused by its header; nothing is
/// allocated for bytes that have not come.
class websocket_reader {
 public:
  /// `message_cap`: bytes of the longest message.
  explicit websocket_reader(std::uint64_t message_cap) : message_cap_(message_cap) {}

  /// Takes the next bytes; answers what is wrong with them, or nothing. After a fault or a close
  /// frame further bytes are ignored.
  std::optional<websocket_fault> feed(std::string_view bytes, websocket_events& to);

 private:
  using fault = std::optional<websocket_fault>;

  std::size_t take_header(std::string_view bytes);
  std::size_t header_size() const;
  fault begin_frame();
  fault check_data_frame(websocket_opcode opcode) const;
  void take_payload(std::string_view bytes);
  fault end_frame(websocket_events& to);
  fault end_message(websocket_events& to);
  fault end_close(websocket_events& to);

  std::uint64_t message_cap_;
  std::array<unsigned char, 14> header_{};
  std::size_t header_bytes_ = 0;
  std::uint64_t left_ = 0; // bytes of the payload that have not come yet
  std::uint64_t taken_ = 0;
  bool in_payload_ = false;
  bool in_message_ = false; // a fragment has come, the last one has not
  bool done_ = false;
  std::string message_;
  std::string control_;
};

} // namespace gasoline

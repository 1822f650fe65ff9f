#pragma once

#include "config/settings.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace gasoline {

/// The close code with which the engine says that a session was deleted.
inline constexpr std::uint16_t session_close_deleted = 1000;

/// A client's side of a session's WebSocket. Blocks; used by one thread.
class session_stream {
 public:
  virtual ~session_stream() = default;

  /// Sends a frame; false: the connection is gone.
  virtual bool write(const nlohmann::json& frame) = 0;

  /// The next frame; nothing: the connection has ended.
  virtual std::optional<nlohmann::json> read() = 0;

  /// With which code the engine has closed; 0: it has not.
  virtual std::uint16_t close_code() const = 0;
};

/// Opens what the answer to `GET /sessions/{id}` names. The error is a sentence.
result_or<std::unique_ptr<session_stream>> open_session_stream(const settings& config,
                                                               std::string_view attach_answer);

} // namespace gasoline

#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace gasoline {

/// The headers of NATS messages that mean something here.
enum class nats_header : std::size_t {
  message_id, ///< by which a server recognises what it has already
  event_type,
  event_time,
  event_metadata,
  stalled ///< a heartbeat: where to answer, so that more comes
};

inline constexpr std::array<const char*, 5> nats_header_names{"Nats-Msg-Id", "Gasoline-Event-Type",
                                                              "Gasoline-Time", "Gasoline-Metadata",
                                                              "Nats-Consumer-Stalled"};

/// One message of a NATS server, or for it.
struct nats_message {
  std::string subject;
  std::string reply;  ///< where an answer is expected; empty: nowhere
  std::string status; ///< of the server itself, such as 503; empty: the message is someone's
  std::string data;
  std::array<std::string, nats_header_names.size()> headers;

  std::string& header(nats_header name) { return headers[static_cast<std::size_t>(name)]; }
  const std::string& header(nats_header name) const {
    return headers[static_cast<std::size_t>(name)];
  }
};

} // namespace gasoline

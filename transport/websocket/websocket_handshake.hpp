#pragma once

#include "transport/http/http_router.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// Why this request does not open a WebSocket (RFC 6455, section 4.2.1), as 400 or 426 with a
/// sentence; nothing: it does.
std::optional<http_response> refuse_handshake(const http_request_view& head);

/// `Sec-WebSocket-Accept` for the client's `Sec-WebSocket-Key`.
std::string websocket_accept(std::string_view key);

/// The answer 101 to a request that was not refused; `take` gets the socket once it has been sent.
http_response accept_handshake(std::string_view key, std::function<void(http_takeover&)> take);

} // namespace gasoline

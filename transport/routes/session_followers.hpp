#pragma once

#include "transport/routes/session_desk.hpp"

namespace gasoline {

/// `GET /sessions/{session}/stream?attach=TOKEN`: the WebSocket of a watcher.
void open_session_socket(const session_desk& desk, const http_call& call, const http_reply& reply);

/// `GET /sessions/{session}/events`: the same feed as Server-Sent Events.
void open_session_events(const session_desk& desk, const http_call& call, const http_reply& reply);

} // namespace gasoline

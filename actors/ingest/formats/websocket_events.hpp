#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /websocket-events`: what happened to WebSockets.
extern const ingest_format websocket_events_format;

} // namespace gasoline

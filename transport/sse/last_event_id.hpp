#pragma once

#include "transport/http/http_router.hpp"

#include <optional>
#include <string>

namespace gasoline {

/// The id of the last event that a reader of Server-Sent Events has received: the header
/// `Last-Event-ID`, else the parameter `lastEventId`, `last_event_id` or `lastEventID`, since a
/// page cannot give an EventSource a header. The header wins: a browser that comes back by itself
/// knows better than the address that it was given at first.
std::optional<std::string> last_event_id(const http_call& call);

} // namespace gasoline

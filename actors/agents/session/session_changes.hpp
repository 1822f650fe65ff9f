#pragma once

#include "messages/agents/session_actors.hpp"

namespace gasoline::session_parts {

/// What the session is after the event; true: something of it has changed.
bool apply_event(session_summary& summary, const event_draft& draft);

} // namespace gasoline::session_parts

#pragma once

#include "messages/agents/session_actors.hpp"

namespace gasoline {

/// The messages of a session as a model may be sent them: what a cancelled or failed answer left
/// unfinished is cut off, and every tool call is followed by its result, for which providers ask.
message_list conversation_for_model(const message_list& history);

} // namespace gasoline

#pragma once

#include "config/session_settings.hpp"
#include "messages/agents/model_call.hpp"
#include "messages/agents/session_actors.hpp"

#include <string_view>

namespace gasoline {

/// Whether a pattern fits all of a text; `*` is any text.
bool fits_pattern(std::string_view pattern, std::string_view text);

/// What the owner's rules say of a tool call in a session. `shell` asks where there is no rule for
/// it, other tools do not. What the session was given for a tool counts as `allow` unless the rule
/// says `deny`.
permission_verdict verdict_of(const session_settings& settings, const tool_request& request,
                              const session_summary& session);

} // namespace gasoline

#pragma once

#include "actors/mcp_tools/observe/answer/observe_call.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/telemetry/event.hpp"

#include <chrono>
#include <string>

namespace gasoline {

/// `41s`, `12m`, `3h`.
std::string span_words(std::chrono::milliseconds span);

/// When the event was: `"ago":"41s"`; `"ts"` where that was another day, or where nobody asked who
/// reads the answer at once.
void add_time(json_object_writer& w, const event& e, const observe_call& call);

} // namespace gasoline

#pragma once

#include "messages/telemetry/event.hpp"
#include "messages/telemetry/query.hpp"

#include <string>

namespace gasoline {

/// Appends one event as a JSON object in the field names of its ingest route, so that what
/// `observe` shows and what a recording holds can be posted again.
void append_event_json(std::string& out, const event& e);

/// The same with the kind as `what`, the number of occurrences and the first time of a group.
void append_group_json(std::string& out, const event_group& g, bool with_kind);

} // namespace gasoline

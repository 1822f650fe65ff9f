#pragma once

#include "config/limits.hpp"
#include "messages/telemetry/event_refs.hpp"
#include "messages/telemetry/mark.hpp"

#include <vector>

namespace gasoline {

/// The newest mark at which all was well: between the mark before it and itself something was seen,
/// and no fault. Null: there is none. `marks` and `events` oldest first.
const telemetry_mark* green_mark(const telemetry_marks& marks, event_span events,
                                 const limits_of<alert_room>& limit);

} // namespace gasoline

#pragma once

#include "actors/mcp_tools/analyze/faults/fault_table.hpp"
#include "messages/base/json/json_text.hpp"

#include <string>

namespace gasoline {

/// Writes what every list says of a fault: title, place, page, how often, when last. `now` is what
/// ages count from.
void write_fault(json_object_writer& out, const fault& f, wall_time now);

} // namespace gasoline

#pragma once

#include "messages/base/time.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// A point in time with a name, to compare what was before with what came after.
struct telemetry_mark {
  std::string name; ///< redacted; 1 to 64 bytes
  wall_time at{};
};

/// All marks, the newest last.
using telemetry_marks = std::vector<telemetry_mark>;

} // namespace gasoline

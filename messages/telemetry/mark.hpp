#pragma once

#include "messages/base/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {

/// Where a mark comes from.
enum class mark_kind : std::uint8_t {
  named,  ///< a client has set it
  commit, ///< the working tree changed by its repository: a commit, a merge, a checkout
  build,  ///< a build passed
  reload  ///< a page that is known was loaded anew
};

/// A point in time with a name, to compare what was before with what came after.
struct telemetry_mark {
  std::string name; ///< redacted; 1 to 64 bytes
  wall_time at{};
  mark_kind kind = mark_kind::named;
  std::string about{}; ///< redacted: what a commit says, which page was loaded; may be empty
  mono_time noted{};   ///< the same moment on the actor clock
};

/// Marks, the newest last.
using telemetry_marks = std::vector<telemetry_mark>;

} // namespace gasoline

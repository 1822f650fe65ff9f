#pragma once

#include "config/values/user_error.hpp"
#include "messages/base/time.hpp"
#include "messages/telemetry/event_refs.hpp"
#include "messages/telemetry/mark.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// A point in time as a caller named it.
struct moment {
  wall_time at{};
  std::string words; ///< for sentences: `mark "before_fix"`, `the last reload`
};

/// What points in time are found in.
struct moment_sources {
  const telemetry_marks& marks;
  event_span events; ///< oldest first
  wall_time now{};
};

/// Reads a mark's name, `reload` (when the page that was loaded last was loaded), `build` (when a
/// build last passed), `commit` (when the working tree was last changed by its repository), a time
/// or an age; or a sentence that says what is valid and which marks
/// there are.
result_or<moment> find_moment(const std::string& text, const moment_sources& from);

/// Where a comparison begins when nobody says: the newest mark that a client has named, else the
/// last build, else the last reload, else the last commit.
result_or<moment> usual_moment(const moment_sources& from);

} // namespace gasoline

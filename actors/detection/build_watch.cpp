#include "actors/detection/build_watch.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gasoline {
using std::chrono::milliseconds;

// Tools print an old error once more while they update.
bool build_watch::is_reprint(const build_failure& failure, mono_time now) const {
  const bool by_file = !failure.marked && !failure.file.empty();
  return std::any_of(builds_.begin(), builds_.end(), [&](const build& b) {
    return !b.broken && b.last.origin == failure.origin &&
           now - b.at <= milliseconds{limit_.build_reprint_ms} &&
           (b.last.key == failure.key || (by_file && b.last.file == failure.file));
  });
}

build_watch::news build_watch::failed(build_failure failure, mono_time now) {
  if (is_reprint(failure, now))
    return news::stale;
  const auto known = std::find_if(builds_.begin(), builds_.end(), [&](const build& b) {
    return b.last.key == failure.key && b.last.origin == failure.origin;
  });
  if (known == builds_.end()) {
    if (builds_.size() >= limit_.build_entries)
      builds_.pop_front();
    builds_.push_back({std::move(failure), now, true});
    return news::broken;
  }
  const auto apart = now - known->at;
  // A sender that never says that builds pass would hide the next break of the same kind.
  const bool lasts = known->broken && apart <= milliseconds{limit_.build_broken_ms};
  known->at = now;
  known->broken = true;
  return lasts ? news::still_broken : news::broken;
}

std::vector<redacted_text> build_watch::passed(const redacted_text& origin, mono_time now) {
  std::vector<redacted_text> out;
  for (auto& b : builds_) {
    if (!b.broken || b.last.origin != origin)
      continue;
    out.push_back(b.last.key);
    b.broken = false;
    b.at = now;
  }
  return out;
}

} // namespace gasoline

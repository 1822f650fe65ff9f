#include "actors/detection/build_watch.hpp"

#include <algorithm>
#include <chrono>

namespace gasoline {
using std::chrono::milliseconds;

build_watch::news build_watch::failed(const redacted_text& key, const redacted_text& file,
                                      const redacted_text& origin, mono_time now) {
  // Tools print an old error once more while they update.
  const bool reprinted = std::any_of(builds_.begin(), builds_.end(), [&](const build& b) {
    return !b.broken && b.origin == origin && now - b.at <= milliseconds{limit_.build_reprint_ms} &&
           (b.key == key || (!file.empty() && b.file == file));
  });
  if (reprinted)
    return news::stale;
  const auto known = std::find_if(builds_.begin(), builds_.end(), [&](const build& b) {
    return b.key == key && b.origin == origin;
  });
  if (known == builds_.end()) {
    if (builds_.size() >= limit_.build_entries)
      builds_.pop_front();
    builds_.push_back({key, file, origin, now, true});
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
    if (!b.broken || b.origin != origin)
      continue;
    out.push_back(b.key);
    b.broken = false;
    b.at = now;
  }
  return out;
}

} // namespace gasoline

#pragma once

#include "config/limits.hpp"
#include "messages/base/redacted_text.hpp"
#include "messages/base/time.hpp"

#include <deque>
#include <vector>

namespace gasoline {

/// A build that failed, as one sender tells it.
struct build_failure {
  redacted_text key;    ///< of its alert
  redacted_text file;   ///< its name; may be empty
  redacted_text origin; ///< of the page; empty: the tool itself tells
  /// The sender marked the entry as a failed build. Otherwise its text says so, and the text of one
  /// failure differs from print to print.
  bool marked = false;
};

/// Which builds of development servers are broken. A failure that is printed again while it lasts,
/// or just after it was repaired, is no news. Keeps the last `build_entries`.
class build_watch {
 public:
  enum class news : std::uint8_t { broken, still_broken, stale };

  explicit build_watch(const limits::detection_limits& limit = {}) : limit_(limit) {}

  news failed(build_failure failure, mono_time now);

  /// The builds of that origin pass again; answers the keys of what was broken.
  std::vector<redacted_text> passed(const redacted_text& origin, mono_time now);

 private:
  struct build {
    build_failure last;
    mono_time at{};
    bool broken = true;
  };

  bool is_reprint(const build_failure& failure, mono_time now) const;

  limits::detection_limits limit_;
  std::deque<build> builds_; ///< oldest first
};

} // namespace gasoline

#pragma once

#include "config/limits.hpp"
#include "messages/base/redacted_text.hpp"
#include "messages/base/time.hpp"

#include <deque>
#include <vector>

namespace gasoline {

/// Which builds of development servers are broken. A failure that is printed again while it lasts,
/// or just after it was repaired, is no news. Keeps the last `build_entries`.
class build_watch {
 public:
  enum class news : std::uint8_t { broken, still_broken, stale };

  explicit build_watch(const limits::detection_limits& limit = {}) : limit_(limit) {}

  /// A build failed: `key` of its alert, the name of the file (may be empty), the page's origin.
  news failed(const redacted_text& key, const redacted_text& file, const redacted_text& origin,
              mono_time now);

  /// The builds of that origin pass again; answers the keys of what was broken.
  std::vector<redacted_text> passed(const redacted_text& origin, mono_time now);

 private:
  struct build {
    redacted_text key;
    redacted_text file;
    redacted_text origin;
    mono_time at{};
    bool broken = true;
  };

  limits::detection_limits limit_;
  std::deque<build> builds_; ///< oldest first
};

} // namespace gasoline

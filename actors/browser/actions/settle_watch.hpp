#pragma once

#include "config/limits.hpp"
#include "messages/base/time.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace gasoline {

/// Says when what an action brings about is over: the page has loaded, no request that it waits for
/// is open, and nothing has happened for a moment. Knows no clock.
class settle_watch {
 public:
  /// `load` and `effects` bound how long a load, and what comes after it, are waited for.
  settle_watch(mono_time begun, std::chrono::milliseconds quiet, std::chrono::milliseconds load,
               std::chrono::milliseconds effects)
      : begun_(begun), last_(begun), quiet_(quiet), load_(load), effects_(effects) {}

  /// How the page is at a moment.
  struct sight {
    bool loading = false;
    bool stopped = false; ///< by a dialog or a crash: nothing more will happen by itself
    std::size_t requests = 0;
  };

  /// Something has happened in the page.
  void stir(mono_time now) { last_ = now; }

  /// How long it is quiet enough from now on if nothing more happens; 0: it is.
  std::chrono::milliseconds rest(mono_time now) const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(last_ + quiet_ - now);
    return std::max(left, std::chrono::milliseconds{0});
  }

  enum class verdict { wait, settled, too_long };

  verdict at(mono_time now, const sight& page) {
    if (page.stopped)
      return verdict::settled;
    if (page.loading)
      loaded_ = now;
    if (now - begun_ >= load_ || (!page.loading && now - std::max(begun_, loaded_) >= effects_))
      return page.loading ? verdict::too_long : verdict::settled;
    const bool is_quiet = !page.loading && page.requests == 0 && now - last_ >= quiet_;
    return is_quiet ? verdict::settled : verdict::wait;
  }

 private:
  mono_time begun_;
  mono_time last_;
  mono_time loaded_{}; // when it was last seen loading
  std::chrono::milliseconds quiet_;
  std::chrono::milliseconds load_;
  std::chrono::milliseconds effects_;
};

} // namespace gasoline

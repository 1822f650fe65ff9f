#include "actors/ingest/circuit_breaker.hpp"

namespace gasoline {

std::optional<circuit_breaker::transition>
circuit_breaker::update(std::uint64_t backlog_bytes, std::chrono::milliseconds lag, mono_time now) {
  const bool hot = backlog_bytes > limit_.breaker_backlog_bytes ||
                   lag > std::chrono::milliseconds{limit_.breaker_lag_ms};
  if (!hot)
    hot_since_.reset();
  else if (!hot_since_)
    hot_since_ = now;
  if (!open_) {
    if (!hot || now - *hot_since_ < std::chrono::milliseconds{limit_.breaker_open_after_ms})
      return std::nullopt;
    open_ = true;
    cool_since_.reset();
    return transition::opened;
  }
  if (hot) {
    cool_since_.reset();
    return std::nullopt;
  }
  if (!cool_since_)
    cool_since_ = now;
  if (now - *cool_since_ < std::chrono::milliseconds{limit_.breaker_close_after_ms})
    return std::nullopt;
  open_ = false;
  return transition::closed;
}

} // namespace gasoline

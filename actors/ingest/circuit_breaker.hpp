#pragma once

#include "config/limits.hpp"
#include "messages/base/time.hpp"

#include <cstdint>
#include <optional>

namespace gasoline {

/// Opens when the unprocessed backlog exceeds `breaker_backlog_bytes`, or its oldest part is older
/// than `breaker_lag_ms`, for `breaker_open_after_ms`; closes after `breaker_close_after_ms` below
/// both.
class circuit_breaker {
 public:
  enum class transition { opened, closed };

  explicit circuit_breaker(const limits::ingest_limits& limit) : limit_(limit) {}

  /// Looks at the backlog; answers the change of state, if there was one.
  std::optional<transition> update(std::uint64_t backlog_bytes, std::chrono::milliseconds lag,
                                   mono_time now);

  bool is_open() const { return open_; }

  /// Whether a later look may change something although nothing arrives.
  bool needs_watch() const { return open_ || hot_since_.has_value(); }

 private:
  limits::ingest_limits limit_;
  bool open_ = false;
  std::optional<mono_time> hot_since_;
  std::optional<mono_time> cool_since_;
};

} // namespace gasoline

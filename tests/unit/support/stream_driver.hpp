#pragma once

#include "actors/push/push_throttle.hpp"
#include "tests/unit/support/alert_samples.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace gasoline::test {

inline push_config config_with(std::chrono::seconds throttle) {
  push_config c;
  c.throttle = throttle;
  return c;
}

/// Drives a throttle the way its actor does: calls `due` when it asked for it.
class stream_driver {
 public:
  struct emission {
    mono_time when;
    std::vector<merged_alert> members;
  };

  explicit stream_driver(const limits& limit = {}) : throttle(limit) {}

  void enable(push_config c) { carry_out(throttle.enable(std::move(c), now)); }
  void congest(bool on) { carry_out(throttle.set_congested(on, now)); }
  void set_level(level_floor s) { carry_out(throttle.set_level(s, now)); }
  void offer(alert a) {
    a.raised = now;
    carry_out(throttle.offer(share(std::move(a)), now));
  }

  void run_until(mono_time target) {
    while (wake_at && *wake_at <= target) {
      now = *wake_at;
      wake_at.reset();
      carry_out(throttle.due(now));
    }
    now = target;
  }

  std::size_t members_written() const {
    std::size_t n = 0;
    for (const auto& e : emissions)
      n += e.members.size();
    return n;
  }

  push_throttle throttle;
  mono_time now = at(std::chrono::seconds{0});
  std::optional<mono_time> wake_at;
  std::vector<emission> emissions;

 private:
  void carry_out(push_throttle::decision d) {
    if (!d.emit.empty())
      emissions.push_back({now, std::move(d.emit)});
    wake_at = d.wake_at;
  }
};

inline std::uint64_t suppressed_total(const push_status& s) {
  std::uint64_t n = 0;
  for (const auto& [filter, count] : s.suppressed_by)
    n += count;
  return n;
}

} // namespace gasoline::test

#pragma once

#include "config/limits.hpp"
#include "messages/alerts/alert.hpp"
#include "messages/base/time.hpp"
#include "messages/telemetry/event.hpp"

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

namespace gasoline {

/// Waits a moment before a lost WebSocket is a fault: a server that restarts, or a page that opens
/// its socket twice, is connected again within `socket_patience_ms`, and nobody need hear of it. A
/// socket that stays away is one fault however often the page tries; its return is told to those
/// who heard of it. Keeps the `socket_entries` addresses used last.
class socket_watch {
 public:
  explicit socket_watch(const limits::detection_limits& limit = {}) : limit_(limit) {}

  /// What is to be told now; alerts without time stamps.
  using told = std::vector<alert>;

  /// The socket to that address failed or was lost; `a` is the alert that it deserves. `attempt`:
  /// failed tries in a row, where the page knows; 0: unknown.
  told lost(const redacted_text& address, alert a, std::uint32_t attempt, mono_time now);

  /// The socket to that address is open.
  told opened(const redacted_text& address, mono_time now);

  /// What has waited long enough.
  told due(mono_time now);

  /// When `due` has to be called next; nothing: no timer is needed.
  std::optional<mono_time> next() const;

 private:
  struct socket {
    redacted_text address;
    alert waiting;
    std::uint64_t failures = 0;
    std::uint64_t shown = 0; ///< failures as last told
    mono_time since{};
    mono_time last{};
    bool told = false;
  };

  using sockets = std::list<socket>;

  sockets::iterator find(const redacted_text& address);
  static alert tell(socket& s);

  std::chrono::milliseconds patience() const {
    return std::chrono::milliseconds{limit_.socket_patience_ms};
  }

  limits::detection_limits limit_;
  sockets sockets_; ///< used last comes first
};

} // namespace gasoline

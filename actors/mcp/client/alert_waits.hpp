#pragma once

#include "messages/alerts/alert.hpp"

#include <cstdint>
#include <functional>
#include <map>

namespace gasoline {

/// The calls of one client that wait for the next alert.
class alert_waits {
 public:
  /// Called once with the alert, or with null when the client has left and nobody waits longer.
  using waiter = std::function<void(const alert_ptr& a)>;

  /// Whether the client has left: waiting is pointless.
  bool closed() const { return closed_; }

  /// Waits; answers the number that ends it.
  std::uint64_t add(waiter then);
  void remove(std::uint64_t wait) { waiting_.erase(wait); }

  /// An alert was raised: whoever waits is told.
  void wake(const alert_ptr& a);

  /// The client has left: whoever waits is told, and nobody waits again.
  void close();

  /// Nobody waits any longer.
  void forget() { waiting_.clear(); }

 private:
  std::map<std::uint64_t, waiter> waiting_;
  std::uint64_t last_ = 0;
  bool closed_ = false;
};

} // namespace gasoline

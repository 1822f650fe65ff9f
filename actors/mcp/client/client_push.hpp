#pragma once

#include "messages/actors.hpp"

namespace gasoline {

/// The push of alerts to one client: whether it is on, and the throttler that sends them.
class client_push {
 public:
  explicit client_push(push_throttler_actor throttler) : throttler_(std::move(throttler)) {}

  /// Whether alerts are passed on.
  bool is_on() const { return on_; }
  void turn_on() { on_ = true; }
  void turn_off() { on_ = false; }

  /// Whom to ask for `enable`, `disable` and `status`.
  const push_throttler_actor& throttler() const { return throttler_; }

  /// An alert was raised.
  void offer(const alert_ptr& a) const;

  /// The level set by `logging/setLevel`.
  void set_level(level_floor level) const;

  /// The client has begun anew: off, and everything but the rate cap's window is forgotten.
  void begin_anew();

  /// The client has left: nothing is pushed any longer.
  void close();

  /// Ends the throttler.
  void end() const;

 private:
  push_throttler_actor throttler_;
  bool on_ = false;
};

} // namespace gasoline

#pragma once

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>

namespace gasoline {

/// Looks again and again for clients that have been idle for too long, as long as there are any; no
/// timer runs otherwise. Used on the io thread only.
class idle_sweep : public std::enable_shared_from_this<idle_sweep> {
 public:
  using executor = boost::asio::io_context::executor_type;

  /// `idle`: the shortest time after which a client may be ended. `sweep` ends those that are due
  /// and answers whether any are left.
  idle_sweep(const executor& io, std::chrono::milliseconds idle, std::function<bool()> sweep);

  /// There is a client now.
  void arm();

 private:
  using clock = std::chrono::steady_clock;

  std::chrono::milliseconds period_;
  std::function<bool()> sweep_;
  boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, executor> timer_;
  bool armed_ = false;
};

} // namespace gasoline

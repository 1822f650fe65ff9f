#pragma once

#include "transport/http/http_takeover.hpp"

#include <boost/asio/basic_waitable_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>

namespace gasoline {

/// The moment by which a connection has to get on. It may be moved as often as one likes: the one
/// timer is set again only when it fires or must fire earlier, so that a busy connection costs no
/// timer operation per request. Used on the io thread only.
class http_deadline {
 public:
  explicit http_deadline(const http_executor& io) : timer_(io) {}

  /// What is called when the moment has come, as long as `owner`, of which this is a part, lives.
  /// It may set another one.
  void on_passed(std::weak_ptr<void> owner, std::function<void()> passed);

  /// From now on; zero: never.
  void set(std::chrono::milliseconds from_now);

  void clear() { at_ = clock::time_point::max(); }

  /// Nothing is called any more.
  void stop();

 private:
  using clock = std::chrono::steady_clock;

  void arm();
  void on_timer();

  boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, http_executor> timer_;
  std::weak_ptr<void> owner_;
  std::function<void()> passed_;
  clock::time_point at_ = clock::time_point::max();       // max: there is none
  clock::time_point timer_at_ = clock::time_point::max(); // max: it does not run
};

} // namespace gasoline

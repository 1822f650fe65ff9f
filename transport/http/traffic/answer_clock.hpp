#pragma once

#include "config/limits.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>

namespace gasoline {

/// Calls functions when `mcp_stream_after_ms` have passed since each was given: requests that are
/// not answered by then begin a stream, so that their clients see a sign of life. One timer for
/// all, and none while nothing waits. Used on the io thread only.
class answer_clock : public std::enable_shared_from_this<answer_clock> {
 public:
  using executor = boost::asio::io_context::executor_type;

  answer_clock(const executor& io, const limits_of<mcp_room>& limit);

  void add(std::function<void()> late);

 private:
  using clock = std::chrono::steady_clock;

  struct entry {
    clock::time_point due;
    std::function<void()> late;
  };

  void arm();
  void on_due();

  const std::chrono::milliseconds delay_;
  std::deque<entry> waiting_; // all wait equally long, so the front is due first
  boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, executor> timer_;
};

} // namespace gasoline

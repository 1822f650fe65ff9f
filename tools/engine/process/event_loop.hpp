#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include <thread>
#include <utility>

namespace gasoline {

/// The io context and the thread that runs it, which runs the actors too.
class event_loop {
 public:
  event_loop() : guard_(boost::asio::make_work_guard(io_)), thread_([this] { io_.run(); }) {}
  event_loop(const event_loop&) = delete;
  event_loop& operator=(const event_loop&) = delete;
  ~event_loop() { stop(); }

  boost::asio::io_context& io() { return io_; }

  /// Runs the function on the thread of the loop and waits for its result.
  template <class F>
  auto run(F function) {
    return boost::asio::post(io_, boost::asio::use_future(std::move(function))).get();
  }

  /// Ends the thread after what is ready has run; timers that still wait do not hold it up.
  void stop() {
    if (!thread_.joinable())
      return;
    boost::asio::post(io_, [this] { io_.stop(); });
    thread_.join();
  }

 private:
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  std::thread thread_;
};

} // namespace gasoline

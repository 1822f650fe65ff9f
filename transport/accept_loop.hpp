#pragma once

#include "messages/base/own_log.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <fcntl.h>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace gasoline {

/// Accepts connections until it is closed; rests for a moment when the process is out of
/// descriptors or memory. Neither the listening socket nor an accepted one is handed to programs
/// that this process starts. Used on the io thread, or while none runs.
template <class Protocol>
class accept_loop {
 public:
  using executor = boost::asio::io_context::executor_type;
  using acceptor = boost::asio::basic_socket_acceptor<Protocol, executor>;
  using socket = boost::asio::basic_stream_socket<Protocol, executor>;

  /// `name`: what the log calls it.
  accept_loop(const executor& io, const char* name)
      : name_(name), acceptor_(std::make_shared<acceptor>(io)), retry_timer_(io) {}

  /// To be opened, bound and listening before `run`.
  acceptor& listener() { return *acceptor_; }

  /// Hands every connection to `take` from now on.
  void run(std::function<void(socket)> take) {
    take_ = std::move(take);
    ::fcntl(acceptor_->native_handle(), F_SETFD, FD_CLOEXEC);
    accept();
  }

  /// Stops listening. Safe to call twice.
  void close() {
    boost::system::error_code ignored;
    acceptor_->close(ignored);
    retry_timer_.cancel();
  }

 private:
  using clock = std::chrono::steady_clock;
  using error_code = boost::system::error_code;

  static constexpr std::chrono::milliseconds rest{100};

  void accept() {
    acceptor_->async_accept(
        [this, alive = std::weak_ptr(acceptor_)](const error_code& ec, socket accepted) {
          if (!alive.expired() && acceptor_->is_open())
            on_accepted(ec, std::move(accepted));
        });
  }

  void on_accepted(const error_code& ec, socket accepted) {
    if (ec && ec != boost::asio::error::connection_aborted) {
      own_log::debug("{}: accepting rests: {}", name_, ec.message());
      accept_later();
      return;
    }
    if (!ec) {
      ::fcntl(accepted.native_handle(), F_SETFD, FD_CLOEXEC);
      take_(std::move(accepted));
    }
    accept();
  }

  void accept_later() {
    retry_timer_.expires_after(rest);
    retry_timer_.async_wait([this, alive = std::weak_ptr(acceptor_)](const error_code& ec) {
      if (!ec && !alive.expired() && acceptor_->is_open())
        accept();
    });
  }

  const char* name_;
  std::function<void(socket)> take_;
  std::shared_ptr<acceptor> acceptor_; // shared, so that a late handler knows whether it is alive
  boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, executor> retry_timer_;
};

} // namespace gasoline

#pragma once

#include "actors/base/side_worker.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>

namespace gasoline {

/// Does work of the sockets' side on a detached actor, which is spawned when there is some. Used on
/// the io thread; both references must outlive the end of all actors.
class apart_worker {
 public:
  apart_worker(caf::actor_system& system, boost::asio::io_context& io) : system_(system), io_(io) {}

  /// Does `work` elsewhere, then calls `then` on the io thread; behind `end` both here and now.
  void run(std::function<void()> work, std::function<void()> then);

  /// The actor ends; what it had not begun is dropped.
  void end();

 private:
  caf::actor_system& system_;
  boost::asio::io_context& io_;
  side_worker_actor worker_;
  bool has_ended_ = false;
};

} // namespace gasoline

#pragma once

#include "messages/base/atoms.hpp"
#include "transport/loop_clock.hpp"

#include <boost/asio/io_context.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>

#include <deque>

namespace gasoline {

/// Runs all actors on the thread of an io context, between its socket events. The actors are a
/// pipeline fed by sockets, so a message that has arrived is worked through without another thread
/// being woken, which costs more than the work itself. A handler that runs long delays everyone.
class loop_scheduler final : public caf::scheduler::abstract_coordinator {
 public:
  /// Makes an actor system use this scheduler. `io` must outlive the system; it is run by one
  /// thread, which ends before the system does.
  static void install(caf::actor_system_config& config, boost::asio::io_context& io);

  loop_scheduler(caf::actor_system& system, boost::asio::io_context& io);

  void stop() override;
  void enqueue(caf::resumable* job) override;
  caf::actor_clock& clock() noexcept override { return clock_; }

 private:
  /// What an actor sees of the thread that it runs on.
  class unit final : public caf::execution_unit {
   public:
    explicit unit(loop_scheduler& owner) : execution_unit(&owner.system()), owner_(owner) {}
    void exec_later(caf::resumable* job) override { owner_.add(job); }

   private:
    loop_scheduler& owner_;
  };

  void add(caf::resumable* job);
  void run_burst();

  boost::asio::io_context& io_;
  unit unit_;
  std::deque<caf::resumable*> jobs_; // used on the io thread only
  bool burst_due_ = false;
  loop_clock clock_;
};

} // namespace gasoline

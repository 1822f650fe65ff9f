#pragma once

#include "messages/base/spawned_alone.hpp"

#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace gasoline {

/// An actor system without threads: actors run when a test says so, and `self->clock().now()`,
/// `delayed_send` and request timeouts follow virtual time.
class virtual_system {
 public:
  virtual_system()
      : sys(configure(cfg)),
        self(sys, true),
        sched(dynamic_cast<caf::scheduler::test_coordinator&>(sys.scheduler())) {}

  virtual_system(const virtual_system&) = delete;
  virtual_system& operator=(const virtual_system&) = delete;

  ~virtual_system() {
    // Without these exits the actor system would wait for ever.
    for (auto& a : owned_)
      caf::anon_send_exit(a, caf::exit_reason::kill);
    sched.run();
    // Queued timers hold references to actors.
    sched.clock().cancel_all();
    owned_.clear();
    sched.run();
  }

  /// Ends the actor with the fixture and runs its initialisation.
  template <class Handle>
  Handle own(Handle h) {
    owned_.push_back(caf::actor_cast<caf::strong_actor_ptr>(h));
    sched.run();
    return h;
  }

  /// Runs all actors until no message is left; answers how many messages were handled.
  std::size_t settle() { return sched.run(); }

  /// The virtual time.
  auto now() { return sched.clock().now(); }

  /// Moves virtual time forward and stops at every timer that becomes due on the way.
  void advance(std::chrono::nanoseconds d) {
    auto& clk = sched.clock();
    const auto target = clk.now() + d;
    settle();
    while (!clk.schedule().empty() && clk.schedule().begin()->first <= target) {
      clk.trigger_timeout();
      settle();
    }
    clk.current_time = target;
  }

  /// How many timers are waiting.
  std::size_t timers() { return sched.clock().schedule().size(); }

  /// Asks an actor and runs until it answers; an error when it does not. Cannot hang.
  template <class R, class Handle, class... Ts>
  caf::expected<R> ask(const Handle& h, const Ts&... xs) {
    caf::expected<R> out{caf::make_error(caf::sec::request_timeout)};
    auto helper = sys.spawn(
        [&](caf::event_based_actor* me, spawned_alone) {
          me->request(h, caf::infinite, xs...)
              .then([&](R& r) { out = std::move(r); }, [&](caf::error& e) { out = std::move(e); });
        },
        spawned_alone{});
    settle();
    caf::anon_send_exit(helper, caf::exit_reason::kill);
    settle();
    return out;
  }

  caf::actor_system_config cfg;
  caf::actor_system sys;
  caf::scoped_actor self;
  caf::scheduler::test_coordinator& sched;

 private:
  static caf::actor_system_config& configure(caf::actor_system_config& c) {
    c.set("scheduler.policy", caf::atom("testing"));
    return c;
  }

  std::vector<caf::strong_actor_ptr> owned_;
};

} // namespace gasoline

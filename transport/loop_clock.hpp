#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <caf/detail/simple_actor_clock.hpp>

namespace gasoline {

/// Timeouts and delayed messages of all actors, kept on the thread of an io context behind one
/// timer. An actor on that thread, which is nearly all of them, sets and cancels timeouts without
/// waking another thread or taking a lock; calls from other threads are posted to it.
///
/// The timer is moved only to wake earlier: a timeout that is cancelled, or pushed out again and
/// again, costs no system call, and at most one wakeup at the time that it was first due.
class loop_clock final : public caf::detail::simple_actor_clock {
 public:
  /// `io` must outlive the clock and be run by one thread.
  explicit loop_clock(boost::asio::io_context& io);

  void set_ordinary_timeout(time_point due, caf::abstract_actor* self, caf::atom_value type,
                            uint64_t id) override;
  void set_multi_timeout(time_point due, caf::abstract_actor* self, caf::atom_value type,
                         uint64_t id) override;
  void set_request_timeout(time_point due, caf::abstract_actor* self, caf::message_id id) override;
  void cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) override;
  void cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) override;
  void cancel_timeouts(caf::abstract_actor* self) override;
  void schedule_message(time_point due, caf::strong_actor_ptr receiver,
                        caf::mailbox_element_ptr content) override;
  void schedule_message(time_point due, caf::group target, caf::strong_actor_ptr sender,
                        caf::message content) override;

  /// Drops everything that is scheduled. For the thread of the io context, or after it has ended.
  void cancel_all() override;

 private:
  /// Runs the change on the thread of the io context, at once when this is it.
  template <class F>
  void change(F function);
  /// Waits for the first of what is scheduled, unless the timer wakes before it anyway.
  void arm();
  void wake();

  boost::asio::io_context& io_;
  boost::asio::steady_timer timer_;
  time_point wakes_at_ = time_point::max(); // max: the timer is not waiting
};

} // namespace gasoline

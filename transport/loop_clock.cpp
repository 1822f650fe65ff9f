#include "transport/loop_clock.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace gasoline {

namespace asio = boost::asio;

loop_clock::loop_clock(asio::io_context& io) : io_(io), timer_(io) {}

template <class F>
void loop_clock::change(F function) {
  if (io_.get_executor().running_in_this_thread())
    function();
  else
    asio::post(io_, std::move(function));
}

void loop_clock::set_ordinary_timeout(time_point due, caf::abstract_actor* self,
                                      caf::atom_value type, uint64_t id) {
  change([this, due, type, id, owner = caf::strong_actor_ptr{self->ctrl()}] {
    simple_actor_clock::set_ordinary_timeout(due, owner->get(), type, id);
    arm();
  });
}

void loop_clock::set_multi_timeout(time_point due, caf::abstract_actor* self, caf::atom_value type,
                                   uint64_t id) {
  change([this, due, type, id, owner = caf::strong_actor_ptr{self->ctrl()}] {
    simple_actor_clock::set_multi_timeout(due, owner->get(), type, id);
    arm();
  });
}

void loop_clock::set_request_timeout(time_point due, caf::abstract_actor* self,
                                     caf::message_id id) {
  change([this, due, id, owner = caf::strong_actor_ptr{self->ctrl()}] {
    simple_actor_clock::set_request_timeout(due, owner->get(), id);
    arm();
  });
}

// An actor that cancels may be about to go, so that only its number is kept.

void loop_clock::cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) {
  change([this, type, actor = self->id()] { handle(ordinary_timeout_cancellation{actor, type}); });
}

void loop_clock::cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) {
  change([this, id, actor = self->id()] { handle(request_timeout_cancellation{actor, id}); });
}

void loop_clock::cancel_timeouts(caf::abstract_actor* self) {
  change([this, actor = self->id()] { handle(timeouts_cancellation{actor}); });
}

void loop_clock::schedule_message(time_point due, caf::strong_actor_ptr receiver,
                                  caf::mailbox_element_ptr content) {
  change([this, due, receiver = std::move(receiver), content = std::move(content)]() mutable {
    simple_actor_clock::schedule_message(due, std::move(receiver), std::move(content));
    arm();
  });
}

void loop_clock::schedule_message(time_point due, caf::group target, caf::strong_actor_ptr sender,
                                  caf::message content) {
  change([this, due, target = std::move(target), sender = std::move(sender),
          content = std::move(content)]() mutable {
    simple_actor_clock::schedule_message(due, std::move(target), std::move(sender),
                                         std::move(content));
    arm();
  });
}

void loop_clock::cancel_all() {
  simple_actor_clock::cancel_all();
  timer_.cancel();
  wakes_at_ = time_point::max();
}

void loop_clock::arm() {
  if (schedule_.empty() || schedule_.begin()->first >= wakes_at_)
    return;
  wakes_at_ = schedule_.begin()->first;
  timer_.expires_at(wakes_at_);
  timer_.async_wait([this](const boost::system::error_code& moved) {
    if (!moved)
      wake();
  });
}

void loop_clock::wake() {
  wakes_at_ = time_point::max();
  trigger_expired_timeouts();
  arm();
}

} // namespace gasoline

#include "transport/http/http_deadline.hpp"

#include <utility>

namespace gasoline {

void http_deadline::on_passed(std::weak_ptr<void> owner, std::function<void()> passed) {
  owner_ = std::move(owner);
  passed_ = std::move(passed);
}

void http_deadline::set(std::chrono::milliseconds from_now) {
  if (from_now == std::chrono::milliseconds::zero()) {
    clear();
    return;
  }
  at_ = clock::now() + from_now;
  if (timer_at_ > at_)
    arm();
}

void http_deadline::stop() {
  clear();
  timer_.cancel();
}

void http_deadline::arm() {
  timer_at_ = at_;
  timer_.expires_at(timer_at_);
  timer_.async_wait([this, owner = owner_](const boost::system::error_code& ec) {
    const auto alive = owner.lock();
    if (!ec && alive)
      on_timer();
  });
}

void http_deadline::on_timer() {
  timer_at_ = clock::time_point::max();
  if (at_ == clock::time_point::max())
    return;
  if (clock::now() < at_) {
    arm();
    return;
  }
  clear();
  passed_();
}

} // namespace gasoline

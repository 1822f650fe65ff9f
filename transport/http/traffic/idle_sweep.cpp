#include "transport/http/traffic/idle_sweep.hpp"

#include <utility>

namespace gasoline {
namespace {

// How often is looked within the idle time.
constexpr int looks_per_idle_time = 30;

} // namespace

idle_sweep::idle_sweep(const executor& io, std::chrono::milliseconds idle,
                       std::function<bool()> sweep)
    : period_(idle / looks_per_idle_time), sweep_(std::move(sweep)), timer_(io) {}

void idle_sweep::arm() {
  if (std::exchange(armed_, true))
    return;
  timer_.expires_after(period_);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& ec) {
    const auto self = ec ? nullptr : weak.lock();
    if (!self)
      return;
    self->armed_ = false;
    if (self->sweep_())
      self->arm();
  });
}

} // namespace gasoline

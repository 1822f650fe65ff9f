#include "actors/mcp/client/stream_delivery.hpp"

#include <chrono>
#include <utility>

namespace gasoline {
namespace {

constexpr auto severity_of_events = log_severity::info;

} // namespace

bool stream_delivery::may_push() const {
  const auto revision = agreement_.revision();
  const auto level = agreement_.level();
  return !closed_ && revision && era_of(*revision) == mcp_era::legacy &&
         (!level || severity_of_events >= *level);
}

void stream_delivery::carry_out(const stream_notifier::decision& next) {
  if (may_push())
    for (const auto& [stream, events] : next.tell)
      outbox_.send_unsolicited(stream_notification(stream, events, limit_));
  if (!next.wake_at || timer_ != 0)
    return;
  const auto delay =
      std::chrono::ceil<std::chrono::milliseconds>(*next.wake_at - self_->clock().now());
  timer_ = timers_.start(delay, [this] {
    timer_ = 0;
    carry_out(notifier_.due(self_->clock().now()));
  });
}

void stream_delivery::hold(bool congested) {
  carry_out(notifier_.set_congested(congested, self_->clock().now()));
}

void stream_delivery::begin_anew() {
  notifier_.forget();
  timers_.stop(std::exchange(timer_, 0));
}

void stream_delivery::notify(const stream_notice& notice) {
  if (!closed_)
    carry_out(notifier_.offer(notice.stream, notice.event, self_->clock().now()));
}

} // namespace gasoline

#include "transport/http/traffic/answer_clock.hpp"

#include <utility>

namespace gasoline {

answer_clock::answer_clock(const executor& io, const limits_of<mcp_room>& limit)
    : delay_(limit.mcp.stream_after_ms), timer_(io) {}

void answer_clock::add(std::function<void()> late) {
  waiting_.push_back({clock::now() + delay_, std::move(late)});
  if (waiting_.size() == 1)
    arm();
}

void answer_clock::arm() {
  timer_.expires_at(waiting_.front().due);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& ec) {
    if (const auto self = ec ? nullptr : weak.lock())
      self->on_due();
  });
}

void answer_clock::on_due() {
  const auto now = clock::now();
  while (!waiting_.empty() && waiting_.front().due <= now) {
    const auto late = std::move(waiting_.front().late);
    waiting_.pop_front();
    late();
  }
  if (!waiting_.empty())
    arm();
}

} // namespace gasoline

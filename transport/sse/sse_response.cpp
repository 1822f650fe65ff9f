#include "transport/sse/sse_response.hpp"

#include "transport/sse/sse_event.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace gasoline {
namespace {

// Streams visited before other work of the io thread gets its turn.
constexpr std::size_t visited_at_a_time = 32;

// A stream is looked at this often within the period in which it must not be silent.
constexpr int looks_per_period = 4;

/// Notices when a response is dropped before its stream was made.
class stream_offer {
 public:
  stream_offer(std::function<void(http_stream_ptr)> open, std::function<void()> lost)
      : open_(std::move(open)), lost_(std::move(lost)) {}
  stream_offer(const stream_offer&) = delete;
  stream_offer& operator=(const stream_offer&) = delete;
  ~stream_offer() {
    if (lost_)
      lost_();
  }

  void take(http_stream_ptr out) {
    lost_ = nullptr;
    open_(std::move(out));
  }

 private:
  std::function<void(http_stream_ptr)> open_;
  std::function<void()> lost_;
};

} // namespace

sse_response::sse_response(http_stream_ptr out) : out_(std::move(out)), last_write_(clock::now()) {}

bool sse_response::send(const sse_text& frame) {
  last_write_ = clock::now();
  return out_->write(frame);
}

void sse_response::keep_alive(clock::time_point quiet_since) {
  static const auto comment = std::make_shared<const std::string>(sse_comment);
  if (last_write_ <= quiet_since && out_->unsent() == 0)
    send(comment);
}

http_response respond_with_events(std::function<void(http_stream_ptr)> open,
                                  std::function<void()> lost) {
  http_response out;
  out.content_type = "text/event-stream";
  out.cache_control = "no-cache";
  out.headers = "X-Accel-Buffering: no\r\n"; // proxies must not hold events back
  out.stream = [offer = std::make_shared<stream_offer>(std::move(open), std::move(lost))](
                   http_stream_ptr stream) { offer->take(std::move(stream)); };
  return out;
}

sse_keepalive::sse_keepalive(const executor& io, const limits_of<mcp_room>& limit)
    : io_(io), period_(limit.mcp.keepalive_ms), timer_(io) {}

sse_response_ptr sse_keepalive::adopt(http_stream_ptr out) {
  auto stream = std::make_shared<sse_response>(std::move(out));
  streams_.push_back(stream);
  if (!std::exchange(running_, true))
    arm();
  return stream;
}

void sse_keepalive::arm() {
  timer_.expires_after(period_ / looks_per_period);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& ec) {
    if (const auto self = ec ? nullptr : weak.lock())
      self->visit_some(0);
  });
}

void sse_keepalive::visit_some(std::size_t from) {
  const auto quiet_since = clock::now() - period_ / 2;
  const auto to = std::min(from + visited_at_a_time, streams_.size());
  for (auto i = from; i < to; ++i)
    if (const auto stream = streams_[i].lock())
      stream->keep_alive(quiet_since);
  if (to < streams_.size()) {
    boost::asio::post(io_, [weak = weak_from_this(), to] {
      if (const auto self = weak.lock())
        self->visit_some(to);
    });
    return;
  }
  std::erase_if(streams_, [](const auto& stream) { return stream.expired(); });
  running_ = !streams_.empty();
  if (running_)
    arm();
}

} // namespace gasoline

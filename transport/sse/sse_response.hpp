#pragma once

#include "config/limits.hpp"
#include "transport/http/http_router.hpp"
#include "transport/http/http_stream.hpp"
#include "transport/sse/event_store.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace gasoline {

/// One open `text/event-stream` response. Used on the io thread only.
class sse_response {
 public:
  using clock = std::chrono::steady_clock;

  explicit sse_response(http_stream_ptr out);

  /// Appends one framed event; false when the client is gone.
  bool send(const sse_text& frame);

  /// Appends a comment when nothing was written since that time and nothing is on its way.
  void keep_alive(clock::time_point quiet_since);

  void finish() { out_->finish(); }
  std::uint64_t unsent() const { return out_->unsent(); }
  void on_closed(std::function<void()> handler) { out_->on_closed(std::move(handler)); }
  void on_drained(std::function<void()> handler) { out_->on_drained(std::move(handler)); }

 private:
  http_stream_ptr out_;
  clock::time_point last_write_;
};

using sse_response_ptr = std::shared_ptr<sse_response>;

/// The head of such a response. `open` gets the stream; when it cannot be had, since the client has
/// gone, `lost` is called instead. Both on the io thread.
http_response respond_with_events(std::function<void(http_stream_ptr)> open,
                                  std::function<void()> lost);

/// Writes a comment to every stream that has been idle, so that none is silent for longer than
/// `mcp_keepalive_ms`. One timer for all streams of a server, and none while there is no stream.
class sse_keepalive : public std::enable_shared_from_this<sse_keepalive> {
 public:
  using executor = boost::asio::io_context::executor_type;

  sse_keepalive(const executor& io, const limits_of<mcp_room>& limit);

  /// Wraps the stream and watches over it until it is dropped.
  sse_response_ptr adopt(http_stream_ptr out);

 private:
  using clock = sse_response::clock;

  void arm();
  void visit_some(std::size_t from);

  executor io_;
  const std::chrono::milliseconds period_;
  std::vector<std::weak_ptr<sse_response>> streams_;
  boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, executor> timer_;
  bool running_ = false;
};

} // namespace gasoline

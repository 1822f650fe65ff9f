#pragma once

#include "config/limits.hpp"
#include "transport/http/http_router.hpp"
#include "transport/http/http_writer.hpp"
#include "transport/http/traffic/idle_sweep.hpp"
#include "transport/mcp/client_link.hpp"
#include "transport/mcp/mcp_client.hpp"
#include "transport/sse/sse_response.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gasoline {

/// One client of the HTTP+SSE transport: its stream, on which everything is told. Used on the io
/// thread only.
class sse_client : public message_sink, public std::enable_shared_from_this<sse_client> {
 public:
  using clock = std::chrono::steady_clock;

  explicit sse_client(std::shared_ptr<mcp_service> service);

  /// Joins the engine and writes to this stream, beginning with where to POST. `gone` is called
  /// when the client or the engine's side has ended.
  void start(http_stream_ptr out, std::string_view post_path, client_origin origin,
             std::function<void()> gone);

  /// Hands a message over; 202 leaves when it has been handled.
  void post(rpc_frame frame, http_reply reply);

  /// Ends the stream and the session.
  void end();

  /// When a message last went either way.
  clock::time_point last_used() const { return last_used_; }

  void on_message(const outgoing_ptr& message) override;
  void on_ended() override;

 private:
  void on_closed();
  void tell_congestion();

  std::shared_ptr<mcp_service> service_;
  std::shared_ptr<client_link> link_;
  sse_response_ptr stream_;
  std::function<void()> gone_;
  clock::time_point last_used_;
};

/// The two routes of the transport of 2024-11-05: `GET /mcp/sse` opens a session, `POST
/// /mcp/messages/{id}` sends within it. A session ends with its
/// stream, or after `mcp_session_idle_ms` without a message. Used on the io thread only.
class mcp_sse : public std::enable_shared_from_this<mcp_sse> {
 public:
  explicit mcp_sse(std::shared_ptr<mcp_service> service);

  /// The rows of both routes. They keep this alive.
  std::vector<http_route> routes();

  /// Sessions that are open now.
  std::size_t clients() const { return clients_.size(); }

 private:
  using clock = sse_client::clock;

  void on_get(const http_call& call, const http_reply& reply);
  void on_post(const http_call& call, const http_reply& reply);
  void open(http_stream_ptr out, const client_origin& from);
  bool sweep();

  std::shared_ptr<mcp_service> service_;
  std::unordered_map<std::string, std::shared_ptr<sse_client>> clients_; // by session id
  std::shared_ptr<idle_sweep> sweep_; // ours alone, so that it ends with this
};

} // namespace gasoline

#pragma once

#include "messages/actors.hpp"
#include "transport/http/http_writer.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// How clients that come by HTTP reach the engine.
struct engine_gate {
  caf::actor_system* system = nullptr;
  boost::asio::io_context::executor_type io;
  /// Joins a client with this writer; `done` gets its session, or null when the engine is ending.
  /// Called on the io thread and must not block; `done` is called once, from any thread.
  std::function<void(message_writer writer, client_origin origin,
                     std::function<void(client_actor)> done)>
      attach;
};

/// The client session in the engine that belongs to one HTTP client. Frames may be sent at once;
/// they wait until the session is there. Used on the io thread only.
class client_link : public std::enable_shared_from_this<client_link> {
 public:
  /// `most_unsent`: `client_unwritten_bytes` of the limits.
  client_link(std::shared_ptr<const engine_gate> gate, std::uint64_t most_unsent);
  client_link(const client_link&) = delete;
  client_link& operator=(const client_link&) = delete;
  ~client_link();

  /// Asks for a session that writes to the sink.
  void attach(client_origin origin, std::weak_ptr<message_sink> sink);

  void send(rpc_frame frame);

  /// The client has closed the response of that exchange.
  void cancel(exchange_id exchange);

  /// So many bytes wait in the client's stream. The session learns when they rise above the cap,
  /// and when all have been sent.
  void note_unsent(std::uint64_t bytes);

  /// The client sends nothing more. The session answers what it was asked and ends; the sink learns
  /// of that.
  void close();

 private:
  void on_attached(client_actor session);

  std::shared_ptr<const engine_gate> gate_;
  http_writer_actor writer_;
  client_actor session_;
  std::vector<rpc_frame_ptr> early_; // until the session is there
  std::uint64_t most_unsent_;
  bool congested_ = false;
  bool closed_ = false;
};

} // namespace gasoline

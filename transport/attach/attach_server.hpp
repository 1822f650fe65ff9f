#pragma once

#include "transport/accept_loop.hpp"
#include "transport/attach/attach_connection.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace gasoline {

/// Takes further MCP clients on a Unix domain socket of mode 0600, from processes of the same user
/// only. Whoever starts it must hold the engine lock, for it replaces the socket file, and has made
/// the directory of the socket, to which nobody else may have a right. All members are called on
/// the thread that runs the io context, or while none runs it.
class attach_server {
 public:
  attach_server(boost::asio::io_context& io, std::filesystem::path socket,
                const limits_of<attach_room, client_room>& limit, attach_routes routes);
  attach_server(const attach_server&) = delete;
  attach_server& operator=(const attach_server&) = delete;
  ~attach_server();

  /// Binds and listens. The error says why no further client can join.
  std::optional<user_error> start();

  /// Removes the socket file and closes all connections.
  void stop();

  /// Processes that are connected now.
  std::size_t connections() const { return traffic_->open.size(); }

  /// Processes of other users, and those over `attach_clients`, that were turned away.
  std::uint64_t refused() const { return refused_; }

 private:
  void on_accepted(attach_socket socket);

  std::filesystem::path path_;
  std::shared_ptr<attach_traffic> traffic_;
  std::uint64_t refused_ = 0;
  accept_loop<boost::asio::local::stream_protocol> accepting_;
};

} // namespace gasoline

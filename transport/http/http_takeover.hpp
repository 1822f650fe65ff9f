#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <memory>
#include <string>

namespace gasoline {

struct http_traffic;

/// A socket whose handlers run on the io thread without a type-erased executor in between.
using http_executor = boost::asio::io_context::executor_type;
using http_socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, http_executor>;

/// A connection that speaks another protocol from now on (RFC 9110, section 7.8). Whoever takes it
/// joins `http_traffic::taken` while it is open. Used on the io thread only.
struct http_takeover {
  http_socket socket;
  std::string early; ///< what the client has sent behind its request
  std::shared_ptr<http_traffic> traffic;
};

/// A connection that was taken over, as the server sees it.
class taken_connection {
 public:
  virtual ~taken_connection() = default;

  /// The server stops: closes the socket, writes nothing more.
  virtual void drop() = 0;
};

} // namespace gasoline

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline::bench {

/// One keep-alive connection to a loopback server; blocking.
class http_client {
 public:
  explicit http_client(std::uint16_t port);
  ~http_client();
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;

  bool connected() const { return fd_ >= 0; }

  /// Sends a request made by `post_request` and reads one response; answers its status, 0 when
  /// the connection broke.
  int exchange(std::string_view request);

  /// The same without waiting for the response.
  bool send(std::string_view request);
  int receive();

  /// Reads the head of a response alone, whose body is a stream; answers its status, 0 when the
  /// connection broke.
  int receive_head();

  /// Takes what has come of a stream; false when the connection has ended. Never waits.
  bool drain(std::string& into);

  /// The body of the last response.
  const std::string& body() const { return body_; }

  /// The value of a field of the last response, such as `Mcp-Session-Id`; empty when it has none.
  std::string field(const std::string& name) const;

  /// The socket, for `poll`.
  int descriptor() const { return fd_; }

  /// Lets the close at the end be a reset.
  void reset_at_end();

 private:
  int fd_ = -1;
  bool read_more();

  std::string buffered_;
  std::string head_;
  std::string body_;
};

/// A complete POST with the headers that every route accepts.
std::string post_request(std::string_view route, std::string_view body,
                         std::string_view content_type = "application/json");

/// A complete GET.
std::string get_request(std::string_view route);

} // namespace gasoline::bench

#pragma once

#include "transport/http/http_takeover.hpp"

#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include <functional>

namespace gasoline {

/// Tells that the peer of a socket has gone while bytes that it had sent before are still unread
/// there. Waiting for the socket to become readable does not tell that, since it is readable
/// already. Costs one descriptor. Used on the io thread only.
class hangup_watch {
 public:
  explicit hangup_watch(const http_executor& io) : events_(io) {}

  /// Calls `gone` once, later, if the peer of that socket goes while this lives.
  void start(int socket, std::function<void()> gone);

 private:
  boost::asio::posix::basic_stream_descriptor<http_executor> events_; // an epoll of its own
};

} // namespace gasoline

#pragma once

#include "config/limits.hpp"
#include "messages/agents/http_fetch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <optional>

namespace gasoline {

/// Requests to servers elsewhere, by HTTP/1.1, each on a connection of its own. Over TLS the
/// certificate must be valid for the host by the system's certificates (`SSL_CERT_FILE` and
/// `SSL_CERT_DIR` name others). Redirects are refused, compressed answers are not asked for.
class http_client final : public http_fetcher {
 public:
  /// `io` is run by one thread and outlives this.
  http_client(boost::asio::io_context& io, const limits_of<http_room, session_room>& limit);

  std::shared_ptr<http_fetch> start(fetch_request request, fetch_reader reader) override;

 private:
  boost::asio::ssl::context& tls();

  boost::asio::io_context& io_;
  limits_of<http_room, session_room> limit_;
  std::optional<boost::asio::ssl::context> tls_; // made when it is first needed
};

} // namespace gasoline

#include "transport/http/client/http_client.hpp"

#include "config/http_url.hpp"
#include "transport/http/client/fetch_connection.hpp"

#include <utility>

namespace gasoline {
namespace {

/// What the owner of a fetch holds: with it, the connection ends.
class held_fetch final : public http_fetch {
 public:
  explicit held_fetch(std::weak_ptr<fetch_connection> connection)
      : connection_(std::move(connection)) {}
  held_fetch(const held_fetch&) = delete;
  held_fetch& operator=(const held_fetch&) = delete;
  ~held_fetch() override { end(); }

  void cancel() override { end(); }

 private:
  void end() {
    if (const auto connection = connection_.lock())
      connection->cancel();
  }

  std::weak_ptr<fetch_connection> connection_;
};

} // namespace

http_client::http_client(boost::asio::io_context& io,
                         const limits_of<http_room, session_room>& limit)
    : io_(io), limit_(limit) {}

boost::asio::ssl::context& http_client::tls() {
  if (tls_)
    return *tls_;
  tls_.emplace(boost::asio::ssl::context::tls_client);
  tls_->set_options(boost::asio::ssl::context::default_workarounds |
                    boost::asio::ssl::context::no_tlsv1 | boost::asio::ssl::context::no_tlsv1_1);
  boost::system::error_code no_certificates; // then no handshake succeeds, and says why
  tls_->set_default_verify_paths(no_certificates);
  return *tls_;
}

std::shared_ptr<http_fetch> http_client::start(fetch_request request, fetch_reader reader) {
  auto url = parse_http_url(request.url);
  if (!url) {
    caf::anon_send(reader, closed_atom_v,
                   fetch_failure{fetch_problem::unreachable, std::move(url.error().message)});
    return std::make_shared<held_fetch>(std::weak_ptr<fetch_connection>{});
  }
  auto* security = url->secure ? &tls() : nullptr;
  const auto connection = std::make_shared<fetch_connection>(
      io_, security, std::move(*url), std::move(request), std::move(reader), limit_);
  connection->start();
  return std::make_shared<held_fetch>(connection);
}

} // namespace gasoline

#include "transport/http/client/fetch_connection.hpp"

#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using std::chrono::milliseconds;

/// The answer to a question with `If-None-Match`; no redirect.
constexpr int not_modified = 304;

std::string lower_name(beast::string_view name) {
  std::string out{name.data(), name.size()};
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

header_fields fields_of(const http::fields& fields) {
  header_fields out;
  for (const auto& field : fields)
    out.emplace_back(lower_name(field.name_string()),
                     std::string{field.value().data(), field.value().size()});
  return out;
}

http::request<http::string_body> message_of(const http_url& url, fetch_request request) {
  http::request<http::string_body> out;
  out.version(11);
  out.method_string(request.method);
  out.target(url.path);
  out.set(http::field::host, host_header(url));
  out.set(http::field::connection, "close");
  for (const auto& [name, value] : request.headers)
    out.set(name, value);
  out.body() = std::move(request.body);
  out.prepare_payload();
  return out;
}

/// The error of a TLS failure, in OpenSSL's words where it has better ones.
std::string reason_of(const boost::system::error_code& ec) {
  if (ec.category() != asio::error::get_ssl_category())
    return ec.message();
  const char* reason = ::ERR_reason_error_string(static_cast<unsigned long>(ec.value()));
  return reason != nullptr ? reason : ec.message();
}

fetch_problem problem_of(const boost::system::error_code& ec, bool has_head) {
  if (ec == beast::error::timeout)
    return fetch_problem::timeout;
  if (ec == http::error::body_limit || ec == http::error::header_limit)
    return fetch_problem::too_large;
  if (ec == http::error::end_of_stream || ec == http::error::partial_message ||
      ec == asio::error::eof || ec == asio::error::connection_reset ||
      ec == asio::ssl::error::stream_truncated)
    return fetch_problem::cut_off;
  if (ec.category() == make_error_code(http::error::bad_version).category())
    return fetch_problem::malformed;
  return has_head ? fetch_problem::cut_off : fetch_problem::unreachable;
}

} // namespace

fetch_connection::fetch_connection(asio::io_context& io, asio::ssl::context* tls, http_url url,
                                   fetch_request request, fetch_reader reader,
                                   const limits_of<http_room, session_room>& limit)
    : resolver_(io),
      resolve_limit_(io),
      tcp_(io),
      url_(std::move(url)),
      local_only_(request.local_only),
      request_(message_of(url_, std::move(request))),
      reader_(std::move(reader)),
      limit_(limit) {
  if (tls != nullptr)
    tls_.emplace(tcp_, *tls);
}

void fetch_connection::start() {
  if (tls_ && !prepare_tls())
    return fail(fetch_problem::unreachable, "TLS cannot be set up for " + url_.host + ".");
  limit_resolving();
  resolver_.async_resolve(
      url_.host, url_.port,
      [self = shared_from_this()](const error_code& ec,
                                  const asio::ip::tcp::resolver::results_type& addresses) {
        self->resolve_limit_.cancel();
        if (ec)
          self->fail(ec, "finding");
        else
          self->connect(addresses);
      });
}

/// A name server that does not answer is no connection; the system itself waits longer.
void fetch_connection::limit_resolving() {
  resolve_limit_.expires_after(milliseconds{limit_.session.call_connect_ms});
  resolve_limit_.async_wait([weak = weak_from_this()](const error_code& ec) {
    const auto self = weak.lock();
    if (!ec && self && !self->tcp_.socket().is_open())
      self->fail(beast::error::timeout, "finding");
  });
}

void fetch_connection::cancel() {
  reader_ = fetch_reader{};
  resolve_limit_.cancel();
  resolver_.cancel();
  error_code ignored;
  tcp_.socket().close(ignored);
}

/// The name is checked against the certificate and sent, so that a server with several can choose.
bool fetch_connection::prepare_tls() {
  tls_->set_verify_mode(asio::ssl::verify_peer);
  tls_->set_verify_callback(asio::ssl::host_name_verification{url_.host});
  error_code not_an_address;
  asio::ip::make_address(url_.host, not_an_address);
  return !not_an_address || SSL_set_tlsext_host_name(tls_->native_handle(), url_.host.c_str()) == 1;
}

void fetch_connection::connect(const asio::ip::tcp::resolver::results_type& addresses) {
  if (!reader_)
    return;
  std::vector<asio::ip::tcp::endpoint> allowed;
  for (const auto& each : addresses)
    if (!local_only_ || each.endpoint().address().is_loopback())
      allowed.push_back(each.endpoint());
  if (allowed.empty())
    return fail(fetch_problem::refused, url_.host + " is not an address of this machine.");
  tcp_.expires_after(milliseconds{limit_.session.call_connect_ms});
  tcp_.async_connect(allowed, [self = shared_from_this()](const error_code& ec, const auto&) {
    if (ec)
      self->fail(ec, "connecting to");
    else
      self->shake_hands();
  });
}

void fetch_connection::shake_hands() {
  if (!tls_)
    return send();
  tcp_.expires_after(milliseconds{limit_.session.call_connect_ms});
  tls_->async_handshake(asio::ssl::stream_base::client,
                        [self = shared_from_this()](const error_code& ec) {
                          if (ec)
                            self->fail(ec, "securing the connection to");
                          else
                            self->send();
                        });
}

void fetch_connection::send() {
  if (!reader_)
    return;
  tcp_.expires_after(milliseconds{limit_.session.call_idle_ms});
  on_stream([this](auto& stream) {
    http::async_write(stream, request_,
                      [self = shared_from_this()](const error_code& ec, std::size_t) {
                        // A server may answer, such as 413, before it has read everything; that
                        // answer says more than the broken connection.
                        if (ec == beast::error::timeout)
                          self->fail(ec, "sending to");
                        else
                          self->read_head();
                      });
  });
}

void fetch_connection::read_head() {
  if (!reader_)
    return;
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(limit_.http.header_bytes));
  parser_->body_limit(limit_.session.call_bytes);
  tcp_.expires_after(milliseconds{limit_.session.call_idle_ms});
  on_stream([this](auto& stream) {
    http::async_read_header(stream, received_, *parser_,
                            [self = shared_from_this()](const error_code& ec, std::size_t) {
                              if (ec)
                                self->fail(ec, "reading the answer of");
                              else
                                self->take_head();
                            });
  });
}

void fetch_connection::take_head() {
  if (!reader_)
    return;
  const auto& head = parser_->get();
  const auto status = static_cast<int>(head.result_int());
  if (status < 200)
    return read_head(); // an interim answer; the real one follows
  if (status >= 300 && status < 400 && status != not_modified)
    return fail(fetch_problem::refused,
                "The server " + url_.host + " answered " + std::to_string(status) +
                    ", a redirect, which is not followed; give the base_url that it leads to.");
  caf::anon_send(reader_, open_atom_v, fetch_head{status, fields_of(head)});
  if (parser_->is_done())
    finish();
  else
    read_body();
}

void fetch_connection::read_body() {
  if (!reader_)
    return;
  auto& body = parser_->get().body();
  body.data = piece_.data();
  body.size = piece_.size();
  tcp_.expires_after(milliseconds{limit_.session.call_idle_ms});
  on_stream([this](auto& stream) {
    http::async_read_some(
        stream, received_, *parser_,
        [self = shared_from_this()](const error_code& ec, std::size_t) { self->take_body(ec); });
  });
}

void fetch_connection::take_body(const error_code& ec) {
  if (!reader_)
    return;
  const auto filled = piece_.size() - parser_->get().body().size;
  if (filled > 0)
    caf::anon_send(reader_, receive_atom_v, std::string{piece_.data(), filled});
  if (ec && ec != http::error::need_buffer)
    return fail(ec, "reading the answer of");
  if (parser_->is_done())
    finish();
  else
    read_body();
}

void fetch_connection::finish() {
  caf::anon_send(reader_, finished_atom_v);
  cancel();
}

void fetch_connection::fail(const error_code& ec, std::string_view doing) {
  const auto problem = problem_of(ec, parser_ && parser_->is_header_done());
  fail(problem, problem == fetch_problem::timeout
                    ? "The server " + url_.host + " did nothing for too long while " +
                          std::string{doing} + " it."
                    : "While " + std::string{doing} + " " + url_.host + ":" + url_.port + ": " +
                          reason_of(ec) + ".");
}

void fetch_connection::fail(fetch_problem problem, std::string message) {
  if (!reader_)
    return;
  caf::anon_send(reader_, closed_atom_v, fetch_failure{problem, std::move(message)});
  cancel();
}

} // namespace gasoline

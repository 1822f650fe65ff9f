#include "transport/http/http_server.hpp"

#include "messages/base/own_log.hpp"
#include "transport/http/http_connection.hpp"
#include "transport/http/rights/port_owner.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

user_error taken_port(const std::string& host, std::uint16_t port) {
  const auto owner = find_port_owner(port);
  const std::string who =
      owner ? "the program " + owner->program + " (pid " + std::to_string(owner->pid) + ")"
            : std::string("a program of another user");
  return {"Port " + std::to_string(port) + " on " + host + " is taken by " + who +
          "; end that program or choose another port with --port (0 takes a free one)."};
}

user_error listen_error(const std::string& host, std::uint16_t port, const error_code& ec) {
  if (ec == asio::error::address_in_use)
    return taken_port(host, port);
  return {"Port " + std::to_string(port) + " on " + host + " cannot be opened (" + ec.message() +
          "); choose another with --port or --host."};
}

template <class Acceptor>
error_code listen_on(Acceptor& acceptor, const tcp::endpoint& endpoint) {
  error_code ec;
  acceptor.open(endpoint.protocol(), ec);
  if (!ec)
    acceptor.set_option(asio::socket_base::reuse_address(true), ec);
  if (!ec && endpoint.address().is_v6())
    acceptor.set_option(asio::ip::v6_only(true), ec);
  if (!ec)
    acceptor.bind(endpoint, ec);
  if (!ec)
    acceptor.listen(asio::socket_base::max_listen_connections, ec);
  return ec;
}

bool listens(int socket) {
  int answer = 0;
  socklen_t size = sizeof answer;
  return ::getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &answer, &size) == 0 && answer != 0;
}

/// Answers 503 as far as that works without waiting; the socket then closes.
void turn_away(http_socket& socket) {
  auto response = http_error(503, "Too many connections are open; close some or try again later.");
  response.retry_after_seconds = 1;
  const std::string text = render_head(response, {}, connection_fate::close) + response.body;
  std::array<char, 4096> unread;
  error_code ignored;
  socket.non_blocking(true, ignored);
  socket.read_some(asio::buffer(unread), ignored);
  socket.write_some(asio::buffer(text), ignored);
  socket.shutdown(http_socket::shutdown_send, ignored);
}

} // namespace

http_server::http_server(asio::io_context& io, const settings& from, http_access access)
    : host_(from.host),
      port_(from.port),
      also_(from.listen_also),
      traffic_(
          std::make_shared<http_traffic>(http_router(std::move(access), from.limit), from.limit)),
      accepting_(io.get_executor(), "http") {}

http_server::~http_server() {
  stop();
}

result_or<std::uint16_t> http_server::start() {
  error_code ec;
  const auto address = asio::ip::make_address(host_, ec);
  if (ec || !address.is_loopback())
    return tl::unexpected(
        user_error{"The host " + host_ + " is no loopback address; use 127.0.0.1 or ::1."});
  ec = listen_on(accepting_.listener(), {address, port_});
  if (ec) {
    accepting_.close();
    return tl::unexpected(listen_error(host_, port_, ec));
  }
  port_ = accepting_.listener().local_endpoint(ec).port();
  accept();
  listen_on_other_loopback(port_);
  listen_also();
  return port_;
}

result_or<std::uint16_t> http_server::start_on(file_descriptor socket) {
  tcp::endpoint bound;
  socklen_t size = static_cast<socklen_t>(bound.capacity());
  if (::getsockname(socket.get(), bound.data(), &size) != 0 || size > bound.capacity() ||
      !bound.address().is_loopback() || !listens(socket.get()))
    return tl::unexpected(user_error{"The socket that the service manager hands over does not "
                                     "listen on a loopback address; set ListenStream to one such "
                                     "as 127.0.0.1:7890."});
  error_code ec;
  accepting_.listener().assign(bound.protocol(), socket.get(), ec);
  if (ec)
    return tl::unexpected(user_error{
        "The socket that the service manager hands over cannot be used (" + ec.message() + ")."});
  socket.release();
  port_ = bound.port();
  accept();
  listen_also();
  return port_;
}

void http_server::stop() {
  accepting_.close();
  for (const auto& further : accepting_also_)
    further->close();
  traffic_->inflater->stop();
  const std::vector<std::shared_ptr<http_connection>> open(traffic_->open.begin(),
                                                           traffic_->open.end());
  for (const auto& connection : open)
    connection->close();
  const std::vector<std::shared_ptr<taken_connection>> taken(traffic_->taken.begin(),
                                                             traffic_->taken.end());
  for (const auto& connection : taken)
    connection->drop();
}

void http_server::inflate_with(run_apart run) {
  traffic_->inflater->use(std::move(run));
}

void http_server::add(http_route route) {
  traffic_->router.add(std::move(route));
}

nlohmann::json http_server::arrivals() const {
  return traffic_->arrivals.report(arrival_log::time_point::clock::now());
}

void http_server::add_all(std::vector<http_route> routes) {
  traffic_->router.add_all(std::move(routes));
}

const http_counters& http_server::counters() const {
  return traffic_->counters;
}

std::uint64_t http_server::unsent_bytes() const {
  return traffic_->unsent_bytes;
}

const refusal_log& http_server::refusals() const {
  return traffic_->refusals;
}

std::size_t http_server::connections() const {
  return traffic_->open.size() + traffic_->taken.size();
}

void http_server::accept() {
  accepting_.run([this](http_socket socket) { on_accepted(std::move(socket)); });
}

/// Whoever looks there finds the engine, and whoever holds the port keeps it.
void http_server::listen_also() {
  for (const auto port : also_)
    if (port != port_ || port == 0)
      listen_on_further(port);
}

void http_server::listen_on_further(std::uint16_t port) {
  error_code ec;
  const auto address = asio::ip::make_address(host_, ec);
  tcp::endpoint wanted{address, port};
  if (const auto problem = listen_at(wanted)) {
    further_ports_[std::to_string(port)] = listen_error(host_, port, problem).message;
    own_log::warn("a further port is not listened on: {}",
                  further_ports_[std::to_string(port)].get_ref<const std::string&>());
    return;
  }
  further_ports_[std::to_string(wanted.port())] = "listening";
  listen_on_other_loopback(wanted.port());
}

/// `localhost` is either of two addresses, and some senders try one alone. A machine without IPv6,
/// or with another program there, has the first.
void http_server::listen_on_other_loopback(std::uint16_t port) {
  if (host_ != "127.0.0.1")
    return;
  tcp::endpoint wanted{asio::ip::address_v6::loopback(), port};
  const auto problem = listen_at(wanted);
  if (problem != asio::error::address_in_use)
    return;
  const auto sentence = listen_error("::1", port, problem).message;
  further_ports_["[::1]:" + std::to_string(port)] = sentence;
  own_log::warn("senders that take localhost for ::1 do not find this engine: {}", sentence);
}

/// Listens there too; the endpoint becomes what it was bound to.
error_code http_server::listen_at(tcp::endpoint& wanted) {
  auto further = std::make_unique<loop>(accepting_.listener().get_executor(), "http");
  if (const auto problem = listen_on(further->listener(), wanted)) {
    further->close();
    return problem;
  }
  error_code ec;
  wanted = further->listener().local_endpoint(ec);
  further->run([this](http_socket socket) { on_accepted(std::move(socket)); });
  accepting_also_.push_back(std::move(further));
  return {};
}

void http_server::on_accepted(http_socket socket) {
  ++traffic_->counters.connections;
  if (connections() >= traffic_->limit.http.connections) {
    ++traffic_->counters.connections_refused;
    turn_away(socket);
    return;
  }
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  try {
    std::make_shared<http_connection>(std::move(socket), traffic_)->start();
  } catch (const std::exception& e) {
    own_log::debug("http: a connection could not start: {}", e.what());
  }
}

} // namespace gasoline

#pragma once

#include "config/settings.hpp"
#include "messages/base/file_descriptor.hpp"
#include "transport/accept_loop.hpp"
#include "transport/http/body_inflater.hpp"
#include "transport/http/http_router.hpp"
#include "transport/http/traffic/refusal_log.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace gasoline {

struct http_counters;
struct http_traffic;

/// Listens on the loopback address of the settings and serves the routes. All
/// members are called on the thread that runs the io context, or while none runs it. The io context
/// must outlive the server and everything that may still hold a reply.
class http_server {
 public:
  http_server(boost::asio::io_context& io, const settings& from, http_access access);
  http_server(const http_server&) = delete;
  http_server& operator=(const http_server&) = delete;
  ~http_server();

  /// Binds and listens, for the host 127.0.0.1 on ::1 as well; answers the port, which the system
  /// chose when the setting is 0. The error names the program and pid that hold the port.
  result_or<std::uint16_t> start();

  /// The same on a socket that listens already, as a service manager hands it over. The error says
  /// that it is none of TCP on a loopback address.
  result_or<std::uint16_t> start_on(file_descriptor socket);

  /// Stops listening and closes all connections. Replies that come later go nowhere.
  void stop();

  /// Takes a further route; before `start`.
  void add(http_route route);

  /// The same for many, in their order.
  void add_all(std::vector<http_route> routes);

  /// Has bodies that take long to inflate inflated by another thread.
  void inflate_with(run_apart run);

  /// What has happened since the start.
  const http_counters& counters() const;

  /// What became of each further port of the settings: `listening`, or why it is not.
  const nlohmann::json& further_ports() const { return further_ports_; }

  /// Bytes of answers and streams that clients have not taken yet.
  std::uint64_t unsent_bytes() const;

  /// Who was refused since the start.
  const refusal_log& refusals() const;

  /// Loads of the page script and who was turned away, as `arrival_log::report` says it.
  nlohmann::json arrivals() const;

  /// Connections that are open now.
  std::size_t connections() const;

 private:
  using loop = accept_loop<boost::asio::ip::tcp>;

  void accept();
  void listen_also();
  void listen_on_further(std::uint16_t port);
  void listen_on_other_loopback(std::uint16_t port);
  boost::system::error_code listen_at(boost::asio::ip::tcp::endpoint& wanted);
  void on_accepted(loop::socket socket);

  std::string host_;
  std::uint16_t port_;
  std::vector<std::uint16_t> also_;
  std::shared_ptr<http_traffic> traffic_;
  loop accepting_;
  std::vector<std::unique_ptr<loop>> accepting_also_;
  nlohmann::json further_ports_ = nlohmann::json::object();
};

} // namespace gasoline

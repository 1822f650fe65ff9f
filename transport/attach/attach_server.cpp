#include "transport/attach/attach_server.hpp"

#include "messages/base/own_log.hpp"
#include "transport/attach/peer_user.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using boost::system::error_code;
using protocol = asio::local::stream_protocol;

constexpr mode_t user_only = 0600;

/// The mode is set before anyone can connect, which takes `listen`.
template <class Acceptor>
error_code listen_on(Acceptor& acceptor, const fs::path& path) {
  error_code ec;
  acceptor.open(protocol{}, ec);
  if (ec)
    return ec;
  ::unlink(path.c_str());
  acceptor.bind(protocol::endpoint{path.string()}, ec);
  if (!ec && ::chmod(path.c_str(), user_only) != 0)
    ec = error_code{errno, boost::system::system_category()};
  if (!ec)
    acceptor.listen(asio::socket_base::max_listen_connections, ec);
  return ec;
}

} // namespace

attach_server::attach_server(asio::io_context& io, fs::path socket,
                             const limits_of<attach_room, client_room>& limit, attach_routes routes)
    : path_(std::move(socket)),
      traffic_(std::make_shared<attach_traffic>(attach_traffic{std::move(routes), limit, {}})),
      accepting_(io.get_executor(), "attach") {}

attach_server::~attach_server() {
  stop();
}

std::optional<user_error> attach_server::start() {
  const auto ec = listen_on(accepting_.listener(), path_);
  if (ec) {
    accepting_.close();
    return user_error{"The attach socket " + path_.string() + " cannot be opened (" + ec.message() +
                      "); other editors cannot join this engine. Name a writable directory with "
                      "--state-dir."};
  }
  accepting_.run([this](attach_socket socket) { on_accepted(std::move(socket)); });
  return std::nullopt;
}

void attach_server::stop() {
  if (accepting_.listener().is_open())
    ::unlink(path_.c_str());
  accepting_.close();
  const std::vector<std::shared_ptr<attach_connection>> open(traffic_->open.begin(),
                                                             traffic_->open.end());
  for (const auto& connection : open)
    connection->close();
}

void attach_server::on_accepted(attach_socket socket) {
  if (!is_own_user(socket.native_handle())) {
    ++refused_;
    own_log::warn("attach: a process of another user was turned away");
    return;
  }
  if (traffic_->open.size() >= traffic_->limit.attach.clients) {
    ++refused_;
    own_log::warn("attach: more than {} processes are attached; one was turned away",
                  traffic_->limit.attach.clients);
    return;
  }
  try {
    std::make_shared<attach_connection>(std::move(socket), traffic_)->start();
  } catch (const std::exception& e) {
    own_log::debug("attach: a connection could not start: {}", e.what());
  }
}

} // namespace gasoline

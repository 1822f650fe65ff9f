#include "tools/bench/peers/http_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

namespace gasoline::bench {

http_client::http_client(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(fd);
    return;
  }
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fd_ = fd;
}

http_client::~http_client() {
  if (fd_ >= 0)
    ::close(fd_);
}

bool http_client::send(std::string_view request) {
  while (!request.empty()) {
    const auto n = ::send(fd_, request.data(), request.size(), MSG_NOSIGNAL);
    if (n <= 0)
      return false;
    request.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool http_client::read_more() {
  std::array<char, 65536> buffer;
  const auto n = ::recv(fd_, buffer.data(), buffer.size(), 0);
  if (n <= 0)
    return false;
  buffered_.append(buffer.data(), static_cast<std::size_t>(n));
  return true;
}

int http_client::receive_head() {
  auto end = buffered_.find("\r\n\r\n");
  for (; end == std::string::npos; end = buffered_.find("\r\n\r\n"))
    if (!read_more())
      return 0;
  head_ = buffered_.substr(0, end + 2);
  buffered_.erase(0, end + 4);
  return std::atoi(head_.c_str() + 9);
}

int http_client::receive() {
  const int status = receive_head();
  const auto length = std::strtoul(field("Content-Length").c_str(), nullptr, 10);
  while (status != 0 && buffered_.size() < length)
    if (!read_more())
      return 0;
  body_ = buffered_.substr(0, length);
  buffered_.erase(0, length);
  return status;
}

bool http_client::drain(std::string& into) {
  into.append(std::exchange(buffered_, {}));
  std::array<char, 65536> buffer;
  for (;;) {
    const auto n = ::recv(fd_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n <= 0)
      return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    into.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

std::string http_client::field(const std::string& name) const {
  const auto at = head_.find("\r\n" + name + ": ");
  if (at == std::string::npos)
    return {};
  const auto value = at + name.size() + 4;
  return head_.substr(value, head_.find("\r\n", value) - value);
}

void http_client::reset_at_end() {
  const linger none{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

int http_client::exchange(std::string_view request) {
  return send(request) ? receive() : 0;
}

std::string post_request(std::string_view route, std::string_view body,
                         std::string_view content_type) {
  std::string out{"POST "};
  out += route;
  out += " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ";
  out += content_type;
  out += "\r\nContent-Length: ";
  out += std::to_string(body.size());
  out += "\r\n\r\n";
  out += body;
  return out;
}

std::string get_request(std::string_view route) {
  return "GET " + std::string{route} + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
}

} // namespace gasoline::bench

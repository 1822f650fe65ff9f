#include "tools/bench/peers/model_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace gasoline::bench {
namespace {

constexpr int call_patience_ms = 10'000;

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0)
      return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Reads a request with its body and drops it; false when it breaks off.
bool skip_request(int fd) {
  std::string bytes;
  std::array<char, 65536> buffer;
  for (;;) {
    const auto head_end = bytes.find("\r\n\r\n");
    const auto length = bytes.find("Content-Length: ");
    if (head_end != std::string::npos && length < head_end &&
        bytes.size() >= head_end + 4 + std::strtoul(bytes.c_str() + length + 16, nullptr, 10))
      return true;
    const auto n = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (n <= 0)
      return false;
    bytes.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

} // namespace

model_server::model_server() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::listen(listener_, 16) != 0)
    return; // the row then tells that nothing came
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
}

model_server::~model_server() {
  if (call_ >= 0)
    ::close(call_);
  ::close(listener_);
}

std::string model_server::base_url() const {
  return "http://127.0.0.1:" + std::to_string(port_);
}

bool model_server::begin_answer() {
  pollfd waiting{listener_, POLLIN, 0};
  if (::poll(&waiting, 1, call_patience_ms) != 1)
    return false;
  if (call_ >= 0)
    ::close(call_);
  call_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  const int on = 1;
  ::setsockopt(call_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (!skip_request(call_))
    return false;
  write_all(call_, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                   "Transfer-Encoding: chunked\r\n\r\n");
  return true;
}

void model_server::write_text(std::string_view text) {
  write_event(R"({"id":"c","object":"chat.completion.chunk","model":"bench","choices":[{"index":0,)"
              R"("delta":{"content":")" +
              std::string{text} + R"("},"finish_reason":null}]})");
}

void model_server::end_answer() {
  write_event(R"({"id":"c","object":"chat.completion.chunk","model":"bench","choices":[{"index":0,)"
              R"("delta":{},"finish_reason":"stop"}]})");
  write_event("[DONE]");
  write_all(call_, "0\r\n\r\n");
}

void model_server::write_event(std::string_view data) {
  const auto event = "data: " + std::string{data} + "\n\n";
  std::array<char, 16> size;
  const auto n = std::snprintf(size.data(), size.size(), "%zx\r\n", event.size());
  write_all(call_, std::string{size.data(), static_cast<std::size_t>(n)} + event + "\r\n");
}

} // namespace gasoline::bench

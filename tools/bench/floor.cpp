// The least that reads an HTTP request and writes a line to stdout: what the emission row of the
// bench is compared with. One thread, blocking calls, one connection at a time.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view answer =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"ok\":true}";
constexpr std::string_view line = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n";

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(fd, bytes.data(), bytes.size());
    if (n <= 0)
      std::exit(0);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Bytes of the first request in `text`, or 0 while it is not complete.
std::size_t request_size(const std::string& text) {
  const auto head = text.find("\r\n\r\n");
  if (head == std::string::npos)
    return 0;
  const auto field = text.find("Content-Length: ");
  const auto length = field < head ? std::strtoul(text.c_str() + field + 16, nullptr, 10) : 0;
  return text.size() >= head + 4 + length ? head + 4 + length : 0;
}

void serve(int connection) {
  std::string text;
  char buffer[65536];
  for (ssize_t n = 0; (n = ::read(connection, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
    while (const auto size = request_size(text)) {
      if (text.starts_with("POST /ci-result"))
        write_all(STDOUT_FILENO, line);
      write_all(connection, answer);
      text.erase(0, size);
    }
  }
  ::close(connection);
}

} // namespace

int main() {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener, generic, size) != 0 || ::listen(listener, 8) != 0 ||
      ::getsockname(listener, generic, &size) != 0)
    return 1;
  std::printf("%u\n", ntohs(address.sin_port));
  std::fflush(stdout);
  for (int connection = 0; (connection = ::accept(listener, nullptr, nullptr)) >= 0;) {
    const int on = 1;
    ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    serve(connection);
  }
}

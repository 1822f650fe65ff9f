#include "transport/descriptor_write.hpp"

#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace gasoline {
namespace {

bool is_socket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

bool has_room(int fd) {
  pollfd p{fd, POLLOUT, 0};
  return ::poll(&p, 1, 0) == 1 && (p.revents & POLLOUT) != 0;
}

} // namespace

std::optional<std::size_t> write_what_fits(int fd, std::string_view bytes) {
  ssize_t n = -1;
  if (is_socket(fd))
    n = ::send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  else if (!has_room(fd))
    n = 0;
  else // A pipe with room takes this much without blocking, whatever its flags are.
    n = ::write(fd, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
  if (n >= 0)
    return static_cast<std::size_t>(n);
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
    return 0;
  return std::nullopt;
}

} // namespace gasoline

#include "transport/descriptor_write.hpp"

#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace gasoline {
namespace {

bool has_room(int fd) {
  pollfd p{fd, POLLOUT, 0};
  return ::poll(&p, 1, 0) == 1 && (p.revents & POLLOUT) != 0;
}

} // namespace

std::optional<std::size_t> write_what_fits(int fd, std::string_view bytes) {
  ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n < 0 && errno == ENOTSOCK) {
    if (!has_room(fd))
      return 0;
    // A pipe with room takes this much without blocking, whatever its flags are.
    n = ::write(fd, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
  }
  if (n >= 0)
    return static_cast<std::size_t>(n);
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
    return 0;
  return std::nullopt;
}

} // namespace gasoline

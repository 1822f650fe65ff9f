#include "tools/engine/process/service_manager.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

namespace gasoline {
namespace {

constexpr int first_activated_descriptor = 3; // SD_LISTEN_FDS_START

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : value;
}

} // namespace

void notify_service_manager(std::string_view state) {
  auto path = variable("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (address.sun_path[0] == '@')
    address.sun_path[0] = '\0'; // a name of the abstract name space
  const file_descriptor fd{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  if (!fd)
    return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  ::sendto(fd.get(), state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
           reinterpret_cast<const sockaddr*>(&address), size);
}

file_descriptor take_activated_socket() {
  const bool for_us = variable("LISTEN_PID") == std::to_string(::getpid());
  if (!for_us || variable("LISTEN_FDS").empty() || variable("LISTEN_FDS") == "0")
    return {};
  ::fcntl(first_activated_descriptor, F_SETFD, FD_CLOEXEC);
  return file_descriptor{first_activated_descriptor};
}

} // namespace gasoline

#include "transport/attach/peer_user.hpp"

#include <sys/socket.h>
#include <unistd.h>

namespace gasoline {

bool is_own_user(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == ::geteuid();
}

} // namespace gasoline

#include "tools/bench/peers/attached_peer.hpp"

#include "config/state_location.hpp"
#include "transport/attach/attach_call.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <utility>

namespace gasoline::bench {
namespace {

constexpr std::chrono::milliseconds patience{5'000};

} // namespace

attached_peer::attached_peer(const std::filesystem::path& state_dir) {
  if (auto call =
          call_attached_engine(attach_socket_of(state_dir, {}), attach_role::client, patience))
    socket_ = std::move(call->socket);
}

bool attached_peer::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent =
        ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    pollfd wanted{socket_.get(), POLLOUT, 0};
    if (errno != EAGAIN || ::poll(&wanted, 1, static_cast<int>(patience.count())) <= 0)
      return false;
  }
  return true;
}

} // namespace gasoline::bench

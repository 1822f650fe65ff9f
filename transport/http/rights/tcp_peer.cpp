#include "transport/http/rights/tcp_peer.hpp"

#include "messages/base/file_descriptor.hpp"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace gasoline {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

struct diag_request {
  nlmsghdr head{};
  inet_diag_req_v2 body{};
};

void put_address(std::array<std::uint32_t, 4>& out, const asio::ip::address& address) {
  if (address.is_v4()) {
    const auto bytes = address.to_v4().to_bytes();
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return;
  }
  const auto bytes = address.to_v6().to_bytes();
  std::memcpy(out.data(), bytes.data(), bytes.size());
}

/// Asks for the one socket that has `peer` as its own address: in its eyes, we are the far end.
diag_request request_for(const tcp::endpoint& peer, const tcp::endpoint& own) {
  diag_request out;
  out.head.nlmsg_len = sizeof out;
  out.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  out.head.nlmsg_flags = NLM_F_REQUEST;
  out.body.sdiag_family = peer.address().is_v4() ? AF_INET : AF_INET6;
  out.body.sdiag_protocol = IPPROTO_TCP;
  out.body.idiag_states = ~0U;
  out.body.id.idiag_sport = htons(peer.port());
  out.body.id.idiag_dport = htons(own.port());
  std::array<std::uint32_t, 4> address{};
  put_address(address, peer.address());
  std::memcpy(&out.body.id.idiag_src, address.data(), sizeof address);
  address = {};
  put_address(address, own.address());
  std::memcpy(&out.body.id.idiag_dst, address.data(), sizeof address);
  out.body.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  out.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return out;
}

struct socket_owner {
  uid_t user = 0;
  bool is_held = false; ///< by a process; of others some kernels name no user, which reads as root

  bool is_named() const { return is_held || user != 0; }
};

std::optional<socket_owner> owner_in(const char* bytes, std::size_t size) {
  nlmsghdr head{};
  if (size < sizeof head)
    return std::nullopt;
  std::memcpy(&head, bytes, sizeof head);
  inet_diag_msg body{};
  if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY || size < NLMSG_HDRLEN + sizeof body)
    return std::nullopt;
  std::memcpy(&body, bytes + NLMSG_HDRLEN, sizeof body);
  return socket_owner{body.idiag_uid, body.idiag_inode != 0};
}

std::optional<socket_owner> owner_of(const tcp::endpoint& peer, const tcp::endpoint& own) {
  const file_descriptor diagnosis{::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)};
  if (diagnosis.get() < 0)
    return std::nullopt;
  const auto request = request_for(peer, own);
  // The kernel answers within `send`, so that the answer is there when it returns.
  if (::send(diagnosis.get(), &request, sizeof request, 0) != static_cast<ssize_t>(sizeof request))
    return std::nullopt;
  std::array<char, 1024> answer{};
  const auto size = ::recv(diagnosis.get(), answer.data(), answer.size(), MSG_DONTWAIT);
  return size > 0 ? owner_in(answer.data(), static_cast<std::size_t>(size)) : std::nullopt;
}

peer_user judged(const std::optional<socket_owner>& owner) {
  if (!owner || !owner->is_named())
    return peer_user::unknown;
  return owner->user == ::geteuid() || owner->user == 0 ? peer_user::own : peer_user::other;
}

} // namespace

std::optional<uid_t> user_of_peer(const tcp::endpoint& peer, const tcp::endpoint& own) {
  const auto owner = owner_of(peer, own);
  return owner && owner->is_named() ? std::optional{owner->user} : std::nullopt;
}

peer_user judge_peer(const tcp::endpoint& peer, const tcp::endpoint& own) {
  return judged(owner_of(peer, own));
}

peer_user judge_listener(const tcp::socket& connection) {
  boost::system::error_code ec;
  const auto target = connection.remote_endpoint(ec);
  const auto own = ec ? tcp::endpoint{} : connection.local_endpoint(ec);
  if (ec)
    return peer_user::unknown;
  // Of no connection, so that the kernel finds the socket that listens.
  const tcp::endpoint nobody{target.protocol(), 0};
  const auto listener = judged(owner_of(target, nobody));
  if (listener != peer_user::own)
    return listener;
  // One who had listened before may have taken the connection; it has no owner while it waits.
  const auto taken = owner_of(target, own);
  if (!taken)
    return peer_user::unknown;
  return taken->is_held ? judged(taken) : peer_user::own;
}

} // namespace gasoline

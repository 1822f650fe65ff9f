#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace gasoline {

/// The user whose program holds the other end of a loopback connection, as the kernel's socket
/// diagnosis (`NETLINK_SOCK_DIAG`) tells it: `peer` is the other end's address, `own` ours. Nothing
/// when the kernel does not say, as where netlink is closed to this process, or when nobody holds
/// it any more: a socket that was closed has no owner, and the kernel would call it root's. Some 20
/// us.
std::optional<uid_t> user_of_peer(const boost::asio::ip::tcp::endpoint& peer,
                                  const boost::asio::ip::tcp::endpoint& own);

/// Who may be at the other end of a connection.
enum class peer_user : std::uint8_t {
  own,    ///< the user of this process, or root, whom nothing keeps out
  other,  ///< somebody else
  unknown ///< the kernel does not say
};

/// The same, judged.
peer_user judge_peer(const boost::asio::ip::tcp::endpoint& peer,
                     const boost::asio::ip::tcp::endpoint& own);

/// Who listens at that address, and so may read what is sent to it: own only where the listener and
/// the program that has taken `connection`, if one has yet, are both of this user's or root's.
peer_user judge_listener(const boost::asio::ip::tcp::socket& connection);

} // namespace gasoline

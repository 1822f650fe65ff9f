#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace gasoline {

/// The user whose program holds the other end of a loopback connection, as the kernel's socket
/// diagnosis (`NETLINK_SOCK_DIAG`) tells it: `peer` is the other end's address, `own` ours. Nothing
/// when the kernel does not say, as where netlink is closed to this process. Some 20 us.
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

} // namespace gasoline

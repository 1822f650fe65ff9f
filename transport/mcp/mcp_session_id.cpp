#include "transport/mcp/mcp_session_id.hpp"

#include "messages/base/identity/random_bytes.hpp"

#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

namespace gasoline {

std::string make_mcp_session_id() {
  std::array<unsigned char, 16> bytes{};
  if (!fill_random(std::as_writable_bytes(std::span{bytes})))
    throw std::runtime_error("the system gives no random bytes");
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0FU) | 0x40U); // version 4
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3FU) | 0x80U); // variant of RFC 9562
  boost::uuids::uuid id{};
  std::copy(bytes.begin(), bytes.end(), id.begin());
  return boost::uuids::to_string(id);
}

} // namespace gasoline

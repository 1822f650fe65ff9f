#pragma once

#include "config/settings.hpp"

#include <string>
#include <string_view>

namespace gasoline {

/// Who is at the other end of the attach socket.
enum class attach_role : std::uint8_t {
  engine,
  client,   ///< pumps the bytes of one MCP client
  channel,  ///< the same; its agent takes what is pushed into its conversation
  observer, ///< asks for the health document, nothing else
  hook      ///< asks what an agent's conversation has to be told
};

/// The first line that each side of the attach socket sends.
struct attach_hello {
  attach_role role = attach_role::client;
  std::int64_t pid = 0;
  std::string working_directory;
};

/// This process's own hello, without line break.
std::string hello_text(attach_role role);

/// Reads a hello. The error says what it is instead, or that the other side speaks another version
/// of the attach protocol and which process that is.
result_or<attach_hello> parse_hello(std::string_view line);

} // namespace gasoline

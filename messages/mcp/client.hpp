#pragma once

#include "messages/base/enum_names.hpp"
#include "messages/base/identity/client_id.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {

/// The door through which a client came.
enum class client_transport : std::uint8_t {
  stdio,
  http,
  sse,
  attach,
  bridge, ///< HTTP of browser extensions that say neither MCP session nor version
  replay,
  session, ///< the tools of an agent session
  bench
};

template <>
struct enum_table<client_transport> {
  static constexpr std::array<std::pair<client_transport, std::string_view>, 8> rows{{
      {client_transport::stdio, "stdio"},
      {client_transport::http, "http"},
      {client_transport::sse, "sse"},
      {client_transport::attach, "attach"},
      {client_transport::bridge, "bridge"},
      {client_transport::replay, "replay"},
      {client_transport::session, "session"},
      {client_transport::bench, "bench"},
  }};
};

/// How a client is connected, for `health` and the log.
struct client_origin {
  client_transport transport = client_transport::stdio;
  std::string name{};   ///< what the client's `X-Gasoline-Client` header says; may be empty
  bool channel = false; ///< alerts are pushed into the agent's conversation, without being asked
  std::string page{};   ///< origin of the page that is the client; empty: an agent or a program
};

} // namespace gasoline

#pragma once

#include "actors/mcp/client/client_environment.hpp"
#include "messages/actors.hpp"
#include "messages/mcp/client.hpp"

#include <memory>

namespace gasoline {

class client_life;

struct client_state {
  static inline const char* name = "connected_client";

  client_state();
  ~client_state();

  std::unique_ptr<client_life> life; ///< set before the first message
};

using client_pointer = client_actor::stateful_pointer<client_state>;

/// One MCP client of either era with its throttler, which it spawns, links and ends.
client_actor::behavior_type connected_client(client_pointer self, client_environment env,
                                             client_id id, client_origin origin,
                                             message_writer writer);

} // namespace gasoline

#pragma once

#include "actors/mcp/client/alert_waits.hpp"
#include "actors/mcp/client/client_agreement.hpp"
#include "actors/mcp/client/client_environment.hpp"
#include "actors/mcp/client/client_push.hpp"
#include "actors/mcp/client/client_roots.hpp"
#include "actors/mcp/client/client_subscriptions.hpp"
#include "actors/mcp/client/read_position.hpp"
#include "actors/mcp/client/request_inputs.hpp"
#include "actors/mcp/client/stream_delivery.hpp"
#include "actors/mcp/client/tool_budget.hpp"
#include "actors/mcp/link/client_asks.hpp"
#include "actors/mcp/link/client_timers.hpp"
#include "actors/mcp/link/message_outbox.hpp"
#include "actors/mcp/link/request_table.hpp"
#include "messages/mcp/client.hpp"

#include <functional>
#include <string>

namespace gasoline {

/// The parts of one connected client, each of which owns its state. Made and used by the client's
/// actor alone; what serves requests sees a `request_context`, and tools see less.
struct client_parts {
  client_parts(client_actor::pointer self, client_environment env, client_id id,
               client_origin origin, const message_writer& writer, push_throttler_actor throttler,
               std::function<void()> settled);
  client_parts(const client_parts&) = delete;
  client_parts& operator=(const client_parts&) = delete;

  /// What the client calls itself, redacted and shortened.
  std::string shown_name() const;

  const client_actor::pointer self;
  const client_environment env;
  const client_id id;
  const client_origin origin;
  client_agreement agreement;
  client_timers timers;
  message_outbox outbox;
  request_table requests;
  request_inputs inputs;
  client_asks asks;
  client_roots roots;
  alert_waits waits;
  client_subscriptions subscriptions;
  stream_delivery streams;
  tool_budget tool_calls;
  client_push push;
  read_position position;
};

} // namespace gasoline

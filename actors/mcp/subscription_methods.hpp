#pragma once

#include "actors/mcp/client/client_parts.hpp"
#include "actors/mcp/client/request_context.hpp"

namespace gasoline {

// What a client is told of without asking again.

/// Legacy `resources/subscribe` and `resources/unsubscribe`.
void resources_subscribe(client_parts& client, const request_context& context,
                         const nlohmann::json& params);
void resources_unsubscribe(client_parts& client, const request_context& context,
                           const nlohmann::json& params);

/// Modern `subscriptions/listen`: acknowledges what is honoured and stays open.
void subscriptions_listen(client_parts& client, const request_context& context,
                          const nlohmann::json& params);

} // namespace gasoline

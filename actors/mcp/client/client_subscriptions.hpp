#pragma once

#include "actors/mcp/client/request_context.hpp"

namespace gasoline {

// What a client is told of without asking again.

/// Legacy `resources/subscribe` and `resources/unsubscribe`.
void resources_subscribe(const request_context& context, const nlohmann::json& params);
void resources_unsubscribe(const request_context& context, const nlohmann::json& params);

/// Modern `subscriptions/listen`: acknowledges what is honoured and stays open.
void subscriptions_listen(const request_context& context, const nlohmann::json& params);

/// Ends every listen with its result.
void end_listens(client_pointer self);

/// A resource has changed.
void resource_changed(client_pointer self, const std::string& uri);

/// The watched part has changed and will not tell again unless it is asked to.
void part_changed(client_pointer self, watched_part part);

/// A list has changed: tells this client.
void tell_list_changed(client_pointer self, listed_kind kind);

/// A list has changed: tells every client of the engine.
void announce_list_changed(const request_context& context, listed_kind kind);

} // namespace gasoline

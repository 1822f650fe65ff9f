#pragma once

#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp/offers/mcp_registry.hpp"
#include "messages/streams/named_stream.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace gasoline {

/// The tools of the set `streams`: `stream_create`, `stream_publish`,
/// `stream_subscribe`, `stream_status`. They answer JSON objects; errors are
/// `{"status":"error","message":…}` with `isError`.
std::vector<mcp_tool> stream_tools();

/// Whether the arguments of `observe` ask for the events of a subscription.
bool observes_stream(const nlohmann::json& arguments);

/// `observe {what:"stream"}`: what is new for a subscription, waiting for it if asked to. What did
/// not reach the client, since it has cancelled the call, stays new.
void call_observe_stream(const request_context& context, const nlohmann::json& arguments);

/// `configure {action:"stream"}`.
void call_stream_action(const request_context& context, stream_command command);

} // namespace gasoline

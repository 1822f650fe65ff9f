#pragma once

#include "actors/mcp/client/connected_client.hpp"
#include "messages/streams/named_stream.hpp"

#include <string>
#include <string_view>

namespace gasoline {

// What a client is told of named streams without asking again.

/// The URI of a stream's resource is this and its name.
inline constexpr std::string_view stream_resource_prefix = "gasoline://streams/";

/// Has the session told once when the stream behind a resource changes from now on; nothing when no
/// stream is behind it. Whoever is told reads after this, so nothing is lost in between.
void watch_stream_behind(client_pointer self, const std::string& uri);

/// The registry of streams tells the session something.
void take_stream_notice(client_pointer self, const stream_notice& notice);

/// The client has left: nobody waits for events any longer.
void end_stream_waits(client_pointer self);

} // namespace gasoline

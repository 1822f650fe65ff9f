#pragma once

#include "config/limits.hpp"
#include "messages/mcp/rpc.hpp"

#include <string_view>

namespace gasoline {

/// Reads one JSON-RPC 2.0 message or batch. Whatever is wrong becomes an `rpc_fault` with the id
/// that could be read, so the answer is always a frame. Never throws on hostile input.
rpc_frame decode_rpc(std::string_view text, const limits_of<client_room>& limit);

/// The frame that stands for a line above `client_line_bytes`.
rpc_frame overlong_rpc(const limits_of<client_room>& limit);

} // namespace gasoline

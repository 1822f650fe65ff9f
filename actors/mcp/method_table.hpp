#pragma once

#include "actors/mcp/client/client_parts.hpp"

#include <memory>

namespace gasoline {

/// Serves one request of a frame: finds out its era, checks its claims, and calls the handler of
/// its method. Whatever happens, the request is answered, now or later.
void serve_request(client_parts& client, const rpc_call& call,
                   const std::shared_ptr<open_exchange>& exchange);

} // namespace gasoline

#pragma once

#include "config/settings.hpp"
#include "messages/alert_actors.hpp"
#include "transport/http/http_router.hpp"

#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <vector>

namespace gasoline {

struct mcp_registry;

/// The routes of MCP over HTTP: `/mcp`, `/mcp/sse`, `/mcp/messages/{id}`. What
/// they share lives as long as they do. They run on the thread of the io context and must be gone
/// before the actor system is.
struct mcp_http {
  std::vector<http_route> routes;
  std::function<nlohmann::json()> report; ///< its counters, for `health`
};

mcp_http make_mcp_http(boost::asio::io_context& io, caf::actor_system& system,
                       const settings& config, const mcp_registry& offers,
                       const local_engine_actor& target);

} // namespace gasoline

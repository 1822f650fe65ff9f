#include "tools/engine/mcp_routes.hpp"

#include "actors/mcp/offers/mcp_registry.hpp"
#include "tools/engine/client_joining.hpp"
#include "transport/mcp/mcp_client.hpp"
#include "transport/mcp/mcp_endpoint.hpp"
#include "transport/mcp/mcp_headers.hpp"
#include "transport/mcp/mcp_sse.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace gasoline {
namespace {

/// Reads the schemas once; they do not change.
tool_header_parameters parameters_of(const mcp_registry& registry) {
  std::map<std::string, std::vector<header_parameter>, std::less<>> by_tool;
  for (const auto& tool : registry.tools)
    if (auto found = header_parameters_of(tool.shown.input_schema); !found.empty())
      by_tool.emplace(tool.shown.name, std::move(found));
  return [by_tool = std::move(by_tool)](std::string_view name) {
    const auto found = by_tool.find(name);
    return found == by_tool.end() ? std::vector<header_parameter>{} : found->second;
  };
}

nlohmann::json report_of(const mcp_service& service, const mcp_endpoint& endpoint,
                         const mcp_sse& sse) {
  const auto& counted = endpoint.counters();
  return {{"sessions", endpoint.clients()},
          {"sse_sessions", sse.clients()},
          {"sessions_opened", counted.sessions_opened},
          {"sessions_evicted", counted.sessions_evicted},
          {"sessions_refused", counted.sessions_refused},
          {"messages_refused", counted.messages_refused},
          {"messages_dropped", service.messages_dropped},
          {"events_evicted", service.stored->evicted},
          {"events_bytes", service.stored->bytes}};
}

} // namespace

mcp_http make_mcp_http(boost::asio::io_context& io, caf::actor_system& system,
                       const settings& config, const mcp_registry& offers,
                       const local_engine_actor& target) {
  auto service = std::make_shared<mcp_service>();
  service->gate = std::make_shared<const engine_gate>(
      engine_gate{&system, io.get_executor(), join_to(system, target)});
  service->keepalive = std::make_shared<sse_keepalive>(io.get_executor(), config.limit);
  service->late_answers = std::make_shared<answer_clock>(io.get_executor(), config.limit);
  service->limit = config.limit;
  const auto endpoint = std::make_shared<mcp_endpoint>(service, parameters_of(offers));
  const auto sse = std::make_shared<mcp_sse>(service);
  mcp_http out{endpoint->routes(),
               [service, endpoint, sse] { return report_of(*service, *endpoint, *sse); }};
  for (auto& row : sse->routes())
    out.routes.push_back(std::move(row));
  return out;
}

} // namespace gasoline

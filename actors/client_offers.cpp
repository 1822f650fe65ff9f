#include "actors/client_offers.hpp"

#include "actors/mcp/conformance/conformance_fixtures.hpp"
#include "actors/mcp/offers/mcp_prompts.hpp"
#include "actors/mcp/offers/mcp_resources.hpp"
#include "actors/mcp/offers/stream_resource.hpp"
#include "actors/mcp_tools/tool_table.hpp"

namespace gasoline {

std::shared_ptr<const mcp_registry> make_client_offers(const settings& config) {
  auto out = std::make_shared<mcp_registry>();
  out->tools = engine_tools(config.limit);
  out->resources = core_resources(out->tools);
  out->templates = core_resource_templates();
  out->templates.push_back(stream_resources());
  out->prompts = core_prompts();
  if (config.conformance_fixtures)
    add_conformance_fixtures(*out);
  return out;
}

} // namespace gasoline

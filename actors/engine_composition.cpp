#include "actors/engine_composition.hpp"

#include "actors/mcp/conformance/conformance_fixtures.hpp"
#include "actors/mcp_resources/core_prompts.hpp"
#include "actors/mcp_resources/core_resources.hpp"
#include "actors/mcp_resources/stream_resource.hpp"
#include "actors/mcp_tools/tool_table.hpp"

#include <utility>

namespace gasoline {

std::shared_ptr<const mcp_registry> make_client_offers(const settings& config) {
  auto out = std::make_shared<mcp_registry>();
  out->tools = engine_tools(config);
  out->resources = core_resources(out->tools);
  out->templates = core_resource_templates();
  out->templates.push_back(stream_resources());
  out->prompts = core_prompts();
  if (config.conformance_fixtures)
    add_conformance_fixtures(*out);
  return out;
}

engine_options compose_engine(settings config, wall_clock clock,
                              const std::vector<std::string>& known) {
  engine_options out;
  out.redaction =
      std::make_shared<const redaction_engine>(config.redaction_rules, config.limit, known);
  out.offers = make_client_offers(config);
  out.clock = std::move(clock);
  out.config = std::move(config);
  return out;
}

} // namespace gasoline

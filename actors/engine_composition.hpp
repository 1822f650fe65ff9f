#pragma once

#include "actors/engine.hpp"
#include "actors/mcp/offers/mcp_registry.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// What clients of an engine get: the tools, resources and prompts of users, and what the public
/// conformance suites call where the settings say so. Made once for an engine.
std::shared_ptr<const mcp_registry> make_client_offers(const settings& config);

/// What every engine is made of, whoever runs it: a process, a replay, a test. `clock` labels
/// times; `known` are secrets that the program itself holds, masked wherever they stand. The
/// recorder, the HTTP side, agent sessions and shared streams are added by who has them.
engine_options compose_engine(settings config, wall_clock clock,
                              const std::vector<std::string>& known = {});

} // namespace gasoline

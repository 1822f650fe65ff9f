#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"

#include <vector>

namespace gasoline {

/// `triage` (what is broken right now, with evidence) and `explain_alert`. Their texts embed live
/// data, one JSON document a line, so that nothing a page wrote can pass for the text around it.
/// They mark no alert as read: a client may show a prompt to its user without sending it.
std::vector<mcp_prompt> core_prompts();

} // namespace gasoline

#pragma once

#include "actors/mcp_tools/generate/generation/fault_story.hpp"

#include <string>

namespace gasoline {

/// The actions of a story as statements of Playwright, one a line, indented by `indent`; the first
/// opens the page. They use `page`, `base` and `one` of the script around them.
std::string script_steps(const fault_story& story, std::string_view indent);

/// How the script answers the dialogs that open: as was seen, in that order, else with yes.
std::string script_dialogs(const fault_story& story, std::string_view indent);

/// How many of the actions are steps.
std::size_t steps_in(const fault_story& story);

/// Where the page was opened, as `scheme://host:port`; empty: not known.
std::string start_origin(const fault_story& story);

} // namespace gasoline

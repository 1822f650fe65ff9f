#pragma once

#include "actors/redaction/rules/triggers/triggers.hpp"

#include <vector>

namespace gasoline::redaction {

/// All triggers of the built-in rules, spelled out. The program that makes their tables at build
/// time reads them; the engine has the tables.
std::vector<trigger> built_in_trigger_list();

} // namespace gasoline::redaction

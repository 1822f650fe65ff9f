#pragma once

#include "actors/alerts/scope/project_files.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {

/// What `configure {"action":"scope"}` answers of the projects of a client, the main one first:
/// never none. `elsewhere` alerts are of other ones.
std::string scope_report(const std::vector<project>& projects, std::uint64_t elsewhere);

} // namespace gasoline

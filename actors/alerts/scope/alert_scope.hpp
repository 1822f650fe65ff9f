#pragma once

#include "actors/alerts/scope/project_files.hpp"
#include "messages/alerts/alert.hpp"
#include "messages/alerts/provenance.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Where an alert comes from, whose process runs in `directory`.
provenance provenance_of(const alert& a, std::string directory);

/// Whether `p` concerns the project `mine`, of all the projects that are known (which may include
/// it). What a project's file names is its own and nobody else's; the rest is learned: from files
/// that the text names, from where the process runs, from repository and branch of a CI result.
/// What cannot be told apart concerns everybody.
bool concerns(const provenance& p, const project& mine, const std::vector<project>& known);

/// The origin of a URL as it is compared: scheme, host and port, in lower case.
std::string comparable_origin(std::string_view url);

} // namespace gasoline

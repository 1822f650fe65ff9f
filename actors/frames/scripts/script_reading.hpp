#pragma once

#include "actors/frames/scripts/evaluated_modules.hpp"
#include "actors/frames/scripts/source_map.hpp"
#include "messages/telemetry/fetched_file.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace gasoline {

/// What a file says of where a script comes from: at most one of the first three.
struct script_reading {
  std::shared_ptr<const source_map> map; ///< it is here
  std::string map_address;               ///< it lies there, in a file of its own
  std::string problem;                   ///< it is broken: some words
  evaluated_modules modules;             ///< that stand in it as texts
};

using script_reading_ptr = std::shared_ptr<const script_reading>;

/// Reads a script, or the map that was asked for. A script that names no map says nothing.
script_reading read_file(const fetched_file& file, const source_map_caps& caps);

} // namespace gasoline

#pragma once

#include "actors/frames/scripts/source_map.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Calls `visit` with the address of each frame of a text whose script may have a map that can be
/// asked for: served by `origin`, and not known to be of a library.
void for_each_mappable(std::string_view text, std::string_view origin,
                       const std::function<void(std::string_view address)>& visit);

/// The map of the script, or of the evaluated module, that a frame names; null: there is none.
using map_lookup = std::function<const source_map*(std::string_view address)>;

/// A text whose frames lead into the project.
struct rewritten_text {
  std::string text;
  std::size_t mapped = 0; ///< frames that were found in a map
};

/// Puts the original places of frames in the place of those of the bundle, relative to the project.
/// A name that a minifier made gives way to the one that the map tells of its call.
rewritten_text rewrite_frames(std::string_view text, std::string_view origin,
                              const map_lookup& maps);

} // namespace gasoline

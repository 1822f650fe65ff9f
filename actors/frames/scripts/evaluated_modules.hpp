#pragma once

#include "actors/frames/scripts/source_map.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace gasoline {

/// The source maps of modules that stand in a bundle as texts for `eval`, by the names that stacks
/// call them by: `webpack-internal:///./src/a.js`.
using evaluated_modules = std::map<std::string, std::shared_ptr<const source_map>, std::less<>>;

/// Reads those of a bundle; modules of libraries, and those without a map, are left out. What is
/// beyond `caps.bytes` of maps or `caps.sources` modules is left out as well.
evaluated_modules read_evaluated_modules(std::string_view script, std::string_view address,
                                         const source_map_caps& caps);

/// Bytes that they keep.
std::uint64_t bytes_of(const evaluated_modules& modules);

} // namespace gasoline

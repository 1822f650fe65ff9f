#pragma once

#include "config/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// A position in a script, both numbers from 1.
struct script_position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Where something stood before it was bundled.
struct original_position {
  std::string source; ///< an address, or a name such as `webpack://app/./src/a.js`
  std::string name;   ///< what stood there, where the map tells it
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool ignored = false; ///< on the map's ignore list
};

/// What a map may hold.
struct source_map_caps {
  std::uint64_t bytes = 32ULL << 20;
  std::uint64_t sections = 10'000;
  std::uint64_t sources = 100'000;
};

/// A source map (ECMA-426) or an index of such maps. Keeps the mappings as they are and reads them
/// when it is asked, so it takes less memory than its file. Sections that lie elsewhere and an
/// index within an index are left out; an index out of range or a number that is none ends its
/// segment, not the map.
class source_map {
 public:
  /// Reads a map; `address` is its own, against which its sources are resolved.
  static result_or<source_map> parse(std::string_view json, std::string_view address,
                                     const source_map_caps& caps);

  /// The origin of each position; nothing where the map knows none. One pass over the mappings.
  std::vector<std::optional<original_position>>
  find(const std::vector<script_position>& positions) const;

  /// Gives a name to the sources whose address ends with `path`.
  void call_source(std::string_view path, std::string_view name);

  /// Bytes that it keeps.
  std::uint64_t bytes() const;

 private:
  struct section {
    std::uint32_t first_line = 0;   ///< of the script, from 0
    std::uint32_t first_column = 0; ///< on that line, from 0
    std::string mappings;
    std::vector<std::string> sources;
    std::vector<std::string> names;
    std::vector<bool> ignored; ///< by source
  };

  friend class source_map_reader;
  friend class mapping_walk;

  std::vector<section> sections_; ///< in the order of the script
};

/// The map that a script names in its last lines (`//# sourceMappingURL=`); empty: none.
std::string_view named_source_map(std::string_view script);

/// The content of a `data:` address; nothing when it is none, or its coding is wrong.
std::optional<std::string> data_content(std::string_view address);

/// An address as it stands in a file at `base`; `..` never leads above the root.
std::string resolved_address(std::string_view base, std::string_view address);

} // namespace gasoline

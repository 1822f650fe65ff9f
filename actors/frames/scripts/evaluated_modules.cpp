#include "actors/frames/scripts/evaluated_modules.hpp"

#include "actors/frames/stack/frame_folding.hpp"
#include "actors/frames/stack/project_path.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

constexpr std::string_view name_mark = "//# sourceURL=webpack-internal:///";
constexpr std::string_view name_key = "//# sourceURL=";
constexpr std::string_view map_key = "//# sourceMappingURL=";

/// What ends a comment within a text of JavaScript: its line break is written as `\n`.
constexpr std::string_view comment_ends = "\\\"'`\n";

std::string_view until_end(std::string_view text) {
  return text.substr(0, text.find_first_of(comment_ends));
}

/// The map that the last comment of `module` names, where it lies in the bundle itself.
std::optional<source_map> map_of(std::string_view module, std::string_view address,
                                 const source_map_caps& caps) {
  const auto at = module.rfind(map_key);
  if (at == std::string_view::npos)
    return std::nullopt;
  const auto json = data_content(until_end(module.substr(at + map_key.size())));
  if (!json)
    return std::nullopt;
  auto map = source_map::parse(*json, address, caps);
  return map ? std::optional{std::move(*map)} : std::nullopt;
}

bool is_of_library(std::string_view name) {
  stack_frame frame;
  frame.place = name;
  frame.file = name;
  return is_library_frame(frame);
}

} // namespace

evaluated_modules read_evaluated_modules(std::string_view script, std::string_view address,
                                         const source_map_caps& caps) {
  evaluated_modules out;
  std::uint64_t bytes = 0;
  for (std::size_t begin = 0; out.size() < caps.sources;) {
    const auto at = script.find(name_mark, begin);
    if (at == std::string_view::npos)
      return out;
    const auto module = script.substr(begin, at - begin);
    const auto name = until_end(script.substr(at + name_key.size()));
    begin = at + name_mark.size();
    if (is_of_library(name))
      continue;
    auto map = map_of(module, address, caps);
    if (!map)
      continue;
    // Where its source is a path on the disk, the module's own name is that of the project.
    map->call_source("/" + project_path(name, {}), name);
    bytes += map->bytes();
    if (bytes > caps.bytes)
      return out;
    out[std::string{name}] = std::make_shared<const source_map>(std::move(*map));
  }
  return out;
}

std::uint64_t bytes_of(const evaluated_modules& modules) {
  std::uint64_t total = 0;
  for (const auto& [name, map] : modules)
    total += name.size() + map->bytes();
  return total;
}

} // namespace gasoline

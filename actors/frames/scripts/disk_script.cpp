#include "actors/frames/scripts/disk_script.hpp"

#include "actors/base/nested_directory.hpp"
#include "actors/base/small_file.hpp"

#include <filesystem>
#include <optional>
#include <system_error>

namespace gasoline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_scheme = "file://";

/// The nearest directory above a file that is a project; empty: there is none.
fs::path project_of(const fs::path& file) {
  std::error_code ec;
  for (auto at = file.parent_path(); at.has_relative_path(); at = at.parent_path())
    for (const char* sign : {".gasoline.json", ".git", "package.json"})
      if (fs::exists(at / sign, ec))
        return at;
  return {};
}

script_reading read_map_beside(std::string_view address, const fs::path& project,
                               const source_map_caps& caps) {
  std::error_code ec;
  const auto file = fs::canonical(address.substr(file_scheme.size()), ec);
  const auto text = !ec && is_inside(file.string(), project.string())
                        ? read_small_file(file, caps.bytes)
                        : std::optional<std::string>{};
  if (!text)
    return {};
  fetched_file map;
  map.is_map = true;
  map.address = std::string{file_scheme} + file.string();
  map.body = *text;
  return read_file(map, caps);
}

} // namespace

std::string_view disk_path(std::string_view file) {
  if (file.starts_with(file_scheme))
    file.remove_prefix(file_scheme.size());
  if (!file.starts_with('/'))
    return {};
  for (const std::string_view end : {".js", ".mjs", ".cjs"})
    if (file.ends_with(end))
      return file;
  return {};
}

bool is_disk_file(const std::string& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec);
}

script_reading read_disk_script(const std::string& path, std::uint64_t script_bytes,
                                const source_map_caps& caps) {
  std::error_code ec;
  const auto file = fs::canonical(path, ec);
  if (ec)
    return {};
  const auto project = project_of(file);
  const auto text = project.empty() ? std::nullopt : read_small_file(file, script_bytes);
  if (!text)
    return {};
  fetched_file script;
  script.address = std::string{file_scheme} + file.string();
  script.body = *text;
  auto out = read_file(script, caps);
  return out.map_address.empty() ? out : read_map_beside(out.map_address, project, caps);
}

} // namespace gasoline

#include "actors/frames/stack/project_path.hpp"

#include "actors/base/url_pieces.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace gasoline {
namespace {

bool drop_start(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start))
    return false;
  text.remove_prefix(start.size());
  return true;
}

/// What stands behind the scheme and the name of the bundle; nothing when no bundler made it.
std::optional<std::string_view> behind_bundle(std::string_view source) {
  for (const std::string_view scheme :
       {"webpack-internal://", "webpack://", "rspack://", "turbopack://", "ng://", "app://"}) {
    auto rest = source;
    if (!drop_start(rest, scheme))
      continue;
    const auto slash = rest.find('/');
    if (slash == std::string_view::npos)
      return rest;
    // turbopack://[project]/app/page.js names the root where others name the bundle
    return rest.substr(slash + 1);
  }
  return std::nullopt;
}

/// `(app-pages-browser)/./app/page.js`, `[project]/app/page.js`, `./src/a.js`.
std::string_view without_roots(std::string_view path) {
  for (bool dropped = true; dropped;) {
    dropped = drop_start(path, "./") || drop_start(path, "/") || drop_start(path, "[project]/") ||
              drop_start(path, "__parcel_source_root/");
    if (path.starts_with('(')) {
      const auto close = path.find(")/");
      if (close != std::string_view::npos && path.find('/') == close + 1) {
        path.remove_prefix(close + 2);
        dropped = true;
      }
    }
  }
  return path;
}

/// `?t=17`, `?vue&type=script`, `?ab12`: what tells versions and parts of a file apart.
std::string_view without_query(std::string_view source) {
  return source.substr(0, source.find('?'));
}

int path_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// Decodes what a path may hold as it is; blanks, controls and what ends a path stay coded.
std::string readable(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool coded = path[i] == '%' && i + 2 < path.size() && path_digit(path[i + 1]) >= 0 &&
                       path_digit(path[i + 2]) >= 0;
    const int byte = coded ? path_digit(path[i + 1]) * 16 + path_digit(path[i + 2]) : 0;
    const bool kept =
        byte > 0x20 && byte < 0x7F &&
        std::string_view{"%?#:"}.find(static_cast<char>(byte)) == std::string_view::npos;
    out += coded && kept ? static_cast<char>(byte) : path[i];
    i += coded && kept ? 2 : 0;
  }
  return out;
}

/// The path of a `file:` address: `/srv/a.js`, `C:/work/a.js`.
std::string_view file_path(std::string_view rest) {
  const bool drive = rest.size() > 3 && rest[0] == '/' && rest[2] == ':';
  return drive ? rest.substr(1) : rest;
}

} // namespace

bool is_bundler_address(std::string_view address) {
  return behind_bundle(address).has_value();
}

std::string project_path(std::string_view source, std::string_view origin) {
  auto rest = without_query(source);
  if (const auto path = behind_bundle(rest))
    return readable(without_roots(*path));
  if (drop_start(rest, "file://"))
    return readable(file_path(rest));
  const auto pieces = take_apart(rest);
  if (!pieces.origin.empty() && pieces.origin != origin)
    return std::string{rest};
  auto path = pieces.path;
  if (drop_start(path, "/@fs/"))
    return "/" + readable(path);
  return readable(without_roots(path));
}

} // namespace gasoline

#pragma once

#include <string_view>

namespace gasoline {

/// Whether the one path is the other, or lies in it; both absolute and without `..`.
inline bool is_inside(std::string_view path, std::string_view of) {
  if (of == "/" || path == of)
    return true;
  return path.size() > of.size() && path.substr(0, of.size()) == of && path[of.size()] == '/';
}

} // namespace gasoline

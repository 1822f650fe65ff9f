#pragma once

#include <string_view>

namespace gasoline {

/// Origin and path of a URL.
inline std::string_view page_key(std::string_view url) {
  return url.substr(0, url.find_first_of("?#"));
}

} // namespace gasoline

#pragma once

#include <algorithm>
#include <string_view>

namespace gasoline {

/// Origin and path of a URL.
inline std::string_view page_key(std::string_view url) {
  // Two quick searches: one for either letter would look each of the URL's letters up in a list.
  return url.substr(0, std::min(url.find('?'), url.find('#')));
}

} // namespace gasoline

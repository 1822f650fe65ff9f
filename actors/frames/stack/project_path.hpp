#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// A source as the project names it: `src/App.jsx` out of the addresses that Vite, webpack, Rspack,
/// Next, Turbopack, Parcel and Angular give to it. Files outside of what is served keep their
/// absolute path, scripts of another origin their address. `origin` is the page's.
std::string project_path(std::string_view source, std::string_view origin);

/// Whether the address is a name that only a bundler knows, such as `webpack://app/./src/a.js`.
bool is_bundler_address(std::string_view address);

} // namespace gasoline

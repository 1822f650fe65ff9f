#pragma once

#include <string_view>

namespace gasoline {

/// Whether `authority` (a `Host` header, or the authority of an absolute request target) names this
/// machine: `localhost`, `127.0.0.1` or `[::1]`, with any or no port.
/// User information, a trailing dot or anything else around the name is refused, so that a name
/// rebound to 127.0.0.1 never passes.
bool is_local_authority(std::string_view authority);

/// Whether a page or extension with this `Origin` header may use the server: http(s) on one of the
/// local names above, or a chrome-, moz- or safari-web-extension. `null` is refused.
bool is_allowed_origin(std::string_view origin);

} // namespace gasoline

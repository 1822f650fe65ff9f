#pragma once

#include <string_view>

namespace gasoline {

/// Whether `authority` (a `Host` header, or the authority of an absolute request target) names this
/// machine: `localhost`, `127.0.0.1`, `[::1]`, or what containers call it (`host.docker.internal`,
/// `host.containers.internal`), with any or no port.
/// User information, a trailing dot or anything else around the name is refused, so that a name
/// rebound to 127.0.0.1 never passes.
bool is_local_authority(std::string_view authority);

/// Whether a page or extension with this `Origin` header belongs to this machine: http(s) on one of
/// the local names above or a name below `.localhost`, which leads to this machine only, or a
/// chrome-, moz- or safari-web-extension. `null` does not.
bool is_local_origin(std::string_view origin);

} // namespace gasoline

#pragma once

#include "messages/telemetry/event.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The scripts that an event names: addresses of its page's origin, or paths on the disk where a
/// program without one (`origin` is empty) tells it. Those that its evaluated code may stand in are
/// last.
std::vector<std::string> named_scripts(const raw_event& e, const std::string& origin);

/// The file of an address, as people call it.
std::string_view file_of_address(std::string_view address);

} // namespace gasoline

#pragma once

#include "messages/telemetry/event.hpp"

#include <string>
#include <string_view>

namespace gasoline {

/// The member of an action that tells of its element.
inline constexpr std::string_view own_selectors = "selectors";

/// The locators of Playwright that may find an element of an action, of which `member` tells, as a
/// function of the frame that it is looked for in, the best first: test id, role and name, label,
/// CSS path. Empty: nothing is known of it.
std::string script_locators(const event& action, std::string_view member = own_selectors);

} // namespace gasoline

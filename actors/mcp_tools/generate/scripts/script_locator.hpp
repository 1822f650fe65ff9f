#pragma once

#include "messages/telemetry/event.hpp"

#include <string>

namespace gasoline {

/// The locators of Playwright that may find the element of an action, as arguments of a call, the
/// best first: test id, role and name, label, CSS path. Empty: nothing is known of it.
std::string script_locators(const event& action);

} // namespace gasoline

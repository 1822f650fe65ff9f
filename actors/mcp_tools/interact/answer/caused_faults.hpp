#pragma once

#include "messages/telemetry/query.hpp"

#include <string>
#include <string_view>

namespace gasoline {

/// The errors and failed requests of the page with that handle, a line each; empty: there are none.
std::string caused_faults(const store_page& page, std::string_view tab);

} // namespace gasoline

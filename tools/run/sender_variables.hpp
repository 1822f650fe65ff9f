#pragma once

#include <string>

namespace gasoline {

/// Sets the variables that make OpenTelemetry SDKs of programs which this process starts send to
/// the engine of that state directory (empty: the usual one). What the user has set stays; without
/// an engine nothing is set, since an SDK that finds nobody complains.
void set_sender_variables(const std::string& state_dir);

} // namespace gasoline

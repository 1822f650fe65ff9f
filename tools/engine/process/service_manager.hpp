#pragma once

#include "messages/base/file_descriptor.hpp"

#include <string_view>

namespace gasoline {

/// Tells the service manager that started this process something, such as `READY=1`
/// (sd_notify(3)); nothing when none waits for it.
void notify_service_manager(std::string_view state);

/// The listening socket that the service manager has handed over (sd_listen_fds(3)), if any.
file_descriptor take_activated_socket();

} // namespace gasoline

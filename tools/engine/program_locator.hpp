#pragma once

#include "messages/alert_actors.hpp"
#include "messages/base/spawned_alone.hpp"

namespace gasoline {

/// Finds working directories in /proc. Each question is answered on a thread of its own, since a
/// machine may have thousands of processes.
origin_locator_actor::behavior_type program_locator(origin_locator_actor::pointer self,
                                                    spawned_alone);

} // namespace gasoline

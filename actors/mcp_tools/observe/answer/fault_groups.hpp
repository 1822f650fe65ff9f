#pragma once

#include "config/limits.hpp"
#include "messages/telemetry/query.hpp"

#include <cstddef>
#include <vector>

namespace gasoline {

/// Errors that are one fault, by the key of its alert.
struct fault_group {
  event_group seen;                      ///< the newest of them, how often, since when
  std::vector<const event*> other_pages; ///< one of each further page, newest first
};

/// Brings the groups of identical errors together by their fault, the one seen last first.
std::vector<fault_group> faults_of(const std::vector<event_group>& groups,
                                   const limits_of<alert_room>& limit);

} // namespace gasoline

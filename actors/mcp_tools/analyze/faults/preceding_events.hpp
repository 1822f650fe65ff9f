#pragma once

#include "messages/telemetry/event_refs.hpp"

#include <string>

namespace gasoline {

/// What users and pages did, to be asked what came just before a fault.
class preceding_events {
 public:
  /// `events` oldest first.
  explicit preceding_events(event_span events);

  /// What the user did last on the event's page in the 5 s before it: `click on Pay`; else the
  /// request that its page ended last in the 2 s before it: `GET /api/items 200`; empty: nothing.
  std::string last_step_before(const event& e) const;

 private:
  event_refs actions_;
  event_refs requests_; ///< those whose end was told
};

} // namespace gasoline

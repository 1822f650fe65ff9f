#pragma once

#include "transport/nats/nats_link.hpp"

namespace gasoline {

/// What the registry of streams is told.

/// Tells the registry, one after the other; what it has not handled yet is counted.
void tell_registry(nats_link self, backend_news news);

/// Lets the server go on once the registry has handled everything.
void answer_flow_control(nats_link self);

} // namespace gasoline

#pragma once

#include "transport/nats/nats_link.hpp"

namespace gasoline {

/// Carries out a command of the registry on the server; refused while it is not in reach.
caf::result<backend_answer> carry_out_there(nats_link self, const backend_command& command);

/// Stores events: answered when each is acknowledged, refused or given up. Refused at once when
/// `nats_unacknowledged_bytes` wait already.
caf::result<stored_places> store(nats_link self, const store_events& wanted);

} // namespace gasoline

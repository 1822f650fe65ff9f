#pragma once

namespace gasoline {

/// Raises the soft limit on open descriptors to the hard one: each client that stays connected
/// needs one, and the usual soft limit is 1024.
void raise_descriptor_limit();

} // namespace gasoline

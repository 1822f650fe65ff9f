#pragma once

namespace gasoline {

/// Given to function actors that need no arguments: CAF 0.17 dereferences a null pointer when it
/// spawns one without any, which a hardened standard library does not let pass.
struct spawned_alone {};

} // namespace gasoline

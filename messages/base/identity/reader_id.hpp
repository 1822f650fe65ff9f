#pragma once

#include <cstdint>

namespace gasoline {

/// Identifies one agent conversation as a reader of alerts. It outlives the connections of that
/// conversation and is never reused; 0 is nobody.
using reader_id = std::uint64_t;

} // namespace gasoline

#pragma once

#include <cstddef>
#include <string>

namespace gasoline::bench {

/// An export request in protobuf with log records that say what the entries on `/logs` say.
std::string otlp_log_body(std::size_t first, std::size_t count);

} // namespace gasoline::bench

#pragma once

#include "actors/ingest/formats/otlp/otlp_records.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

// The HTTP request that the attributes of a span describe, in the names of the semantic conventions
// and in those that they had before version 1.21.

/// Empty: no HTTP request, or not told.
std::string_view request_method(const otlp_attributes& attributes);

/// The status that was answered; -1: not told.
std::int32_t response_status(const otlp_attributes& attributes);

/// The whole address where enough of it is told, else the path; may be empty.
std::string request_address(const otlp_attributes& attributes);

} // namespace gasoline

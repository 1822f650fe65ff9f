#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// Parts of a Server-Sent Events stream (HTML standard, section 9.2). `data` is a JSON text without
/// line breaks, as JSON-RPC messages are.
std::string sse_message(std::string_view data);

/// The first event of the 2024-11-05 transport: where to POST.
std::string sse_endpoint(std::string_view path);

/// An event without data that gives an id to come back with, and the time to wait before.
std::string sse_priming(std::uint64_t retry_ms);

/// Nothing for the client but a sign of life.
inline constexpr std::string_view sse_comment = ": still here\n\n";

} // namespace gasoline

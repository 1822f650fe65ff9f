#pragma once

#include "actors/ingest/formats/otlp/otlp_events.hpp"

#include <optional>
#include <string_view>

namespace gasoline {

/// What a body of OTLP holds; each has its own path.
enum class otlp_signal : std::uint8_t { logs, traces, metrics };

/// Reads an export request in protobuf. The sentence says why it is none; nothing: it was read.
/// Unknown fields are skipped, as all of protobuf does.
std::optional<user_error> read_otlp_protobuf(otlp_signal signal, std::string_view body,
                                             const decode_context& context, otlp_events& out);

} // namespace gasoline

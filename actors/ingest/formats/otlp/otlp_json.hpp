#pragma once

#include "actors/ingest/formats/otlp/otlp_protobuf.hpp"

#include <optional>
#include <string>

namespace gasoline {

/// Reads an export request in JSON: with the names and numbers of the specification, and with what
/// senders write in their place: enum names, base64 ids, 64-bit numbers as text or in halves, names
/// with underscores. An empty body is an empty request. The sentence says why it is none.
std::optional<user_error> read_otlp_json(otlp_signal signal, std::string& body,
                                         const decode_context& context, otlp_events& out);

} // namespace gasoline

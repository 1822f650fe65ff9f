#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /v1/traces`, OTLP in protobuf and JSON: spans: those that failed become errors, those of
/// servers requests.
extern const ingest_format otlp_traces_format;

} // namespace gasoline

#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /v1/logs`, OTLP in protobuf and JSON: records of a log; those of level error and
/// exceptions become errors.
extern const ingest_format otlp_logs_format;

} // namespace gasoline

#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /v1/metrics`, OTLP in protobuf and JSON: counted, and answered.
extern const ingest_format otlp_metrics_format;

} // namespace gasoline

#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /network-waterfall`: timings of requests.
extern const ingest_format network_waterfall_format;

} // namespace gasoline

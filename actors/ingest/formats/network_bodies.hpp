#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /network-bodies`: requests with what was sent and answered.
extern const ingest_format network_bodies_format;

} // namespace gasoline

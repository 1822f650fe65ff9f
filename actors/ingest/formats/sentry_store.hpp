#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// One event as JSON, as Sentry SDKs sent it before there were envelopes.
extern const ingest_format sentry_store_format;

} // namespace gasoline

#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /enhanced-actions`: what a user did.
extern const ingest_format actions_format;

} // namespace gasoline

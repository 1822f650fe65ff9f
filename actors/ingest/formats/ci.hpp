#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /ci-result`: one result of a CI run. The error sentence names the field that is wrong and
/// what it may be.
extern const ingest_format ci_format;

} // namespace gasoline

#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /ci/buildkite`: webhooks of Buildkite: build.finished and job.finished.
extern const ingest_format ci_buildkite_format;

} // namespace gasoline

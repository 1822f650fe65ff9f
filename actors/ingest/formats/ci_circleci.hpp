#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /ci/circleci`: webhooks of CircleCI: workflow-completed and job-completed.
extern const ingest_format ci_circleci_format;

} // namespace gasoline

#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /ci/github`: webhooks of GitHub: workflow_run, workflow_job, check_run, check_suite,
/// status, ping.
extern const ingest_format ci_github_format;

} // namespace gasoline

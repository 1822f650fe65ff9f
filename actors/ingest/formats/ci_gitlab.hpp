#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /ci/gitlab`: webhooks of GitLab: pipeline and job events.
extern const ingest_format ci_gitlab_format;

} // namespace gasoline

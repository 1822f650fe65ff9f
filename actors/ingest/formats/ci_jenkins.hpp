#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

namespace gasoline {

/// `POST /ci/jenkins`: webhooks of Jenkins: the notification plugin.
extern const ingest_format ci_jenkins_format;

} // namespace gasoline

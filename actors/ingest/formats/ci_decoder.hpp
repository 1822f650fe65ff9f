#pragma once

#include "actors/ingest/formats/text_cutter.hpp"
#include "config/settings.hpp"
#include "messages/telemetry/event.hpp"

#include <simdjson.h>

namespace gasoline {

/// Reads the body of `POST /ci-result`. The error sentence
/// names the field that is wrong and what it may be.
result_or<raw_ci_result> decode_ci_result(const simdjson::dom::element& root, const limits& limit,
                                          const text_cutter& cutter);

} // namespace gasoline

#pragma once

#include "actors/ingest/formats/sentry/sentry_sender.hpp"

#include <simdjson.h>

namespace gasoline {

/// Reads an event of any SDK generation: what was thrown, with its causes, or what was said. What
/// it brings along as breadcrumbs comes before it. Adds nothing when the same event came before.
void read_sentry_event(const simdjson::dom::element& root, const sentry_sender& sender,
                       const decode_context& context, decoded_body& out);

} // namespace gasoline

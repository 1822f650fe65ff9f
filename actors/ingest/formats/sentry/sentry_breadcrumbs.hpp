#pragma once

#include "actors/ingest/formats/sentry/sentry_sender.hpp"

#include <simdjson.h>

namespace gasoline {

/// What happened before an event, as events of the timeline that raise no alerts: each event brings
/// the last hundred of its program along, and each of them is taken once.
void read_sentry_breadcrumbs(const simdjson::dom::element& root, const sentry_sender& sender,
                             const decode_context& context, decoded_body& out);

} // namespace gasoline

#pragma once

#include "actors/ingest/formats/sentry/sentry_sender.hpp"

#include <simdjson.h>

namespace gasoline {

/// Log records, one or a list of them.
void read_sentry_logs(const simdjson::dom::element& root, const sentry_sender& sender,
                      const decode_context& context, decoded_body& out);

/// A run of something that comes round, as its monitor reports it; told when it failed.
void read_sentry_check_in(const simdjson::dom::element& root, const sentry_sender& sender,
                          const decode_context& context, decoded_body& out);

/// What a user wrote about the program: an item `feedback`, or `user_report` of older SDKs.
void read_sentry_feedback(const simdjson::dom::element& root, const sentry_sender& sender,
                          const decode_context& context, decoded_body& out);

} // namespace gasoline

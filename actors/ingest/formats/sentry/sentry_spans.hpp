#pragma once

#include "actors/ingest/formats/sentry/sentry_sender.hpp"

#include <simdjson.h>

namespace gasoline {

/// A transaction of the SDKs before version 11 of JavaScript's: what a server answered becomes a
/// request, another one that failed becomes an error; the rest is counted.
void read_sentry_transaction(const simdjson::dom::element& root, const sentry_sender& sender,
                             const decode_context& context, decoded_body& out);

/// Spans by themselves: a list of them (version 2), or one. Judged like transactions where they
/// have no parent in their program; of the others, requests that failed become requests.
void read_sentry_spans(const simdjson::dom::element& root, const sentry_sender& sender,
                       const decode_context& context, decoded_body& out);

} // namespace gasoline

#pragma once

#include "actors/ingest/formats/ingest_format.hpp"

#include <simdjson.h>

#include <string>

namespace gasoline {

/// What the items of one body have in common.
struct sentry_sender {
  std::string project;  ///< of the DSN; may be empty
  std::string event_id; ///< of the envelope's header, which is right where the event says another
  std::string sdk;
};

/// The name of the program that sends: of its release, else its project's where that is a word.
std::string sentry_service(const sentry_sender& sender, std::string_view release,
                           const decode_context& context);

/// Reads an event of any SDK generation: what was thrown, with its causes, or what was said. What
/// it brings along as breadcrumbs comes before it. Adds nothing when the same event came before.
void read_sentry_event(const simdjson::dom::element& root, const sentry_sender& sender,
                       const decode_context& context, decoded_body& out);

} // namespace gasoline

#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

#include <string>
#include <string_view>

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

} // namespace gasoline

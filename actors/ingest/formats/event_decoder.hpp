#pragma once

#include "actors/redaction/redaction_engine.hpp"
#include "config/settings.hpp"
#include "messages/telemetry/event.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// One refused entry of a batch.
struct entry_error {
  std::uint64_t index = 0;
  std::string message;
};

/// What one POST body held. Entries keep their order; a `vital` log entry becomes a performance
/// event.
struct decoded_body {
  std::vector<raw_event> events;
  std::uint64_t received = 0;
  std::uint64_t rejected = 0;
  std::vector<entry_error> errors; ///< the first `entry_errors_listed` refusals
};

/// Turns POST bodies of the ingest routes into events: repair, parse, validate, shorten. Field
/// shapes are those of the README beside it; names it does not know are kept in `fields`.
class event_decoder {
 public:
  /// `engine` masks what has to be cut, before it is cut.
  event_decoder(const limits& limit, std::shared_ptr<const redaction_engine> engine);
  ~event_decoder();
  event_decoder(const event_decoder&) = delete;
  event_decoder& operator=(const event_decoder&) = delete;

  /// Decodes `body` for that route; `now` labels entries that carry no time. Refuses the whole
  /// body when it is no JSON, nests too deeply, or has no entries where they belong.
  result_or<decoded_body> decode(event_source source, std::string body, wall_time now);

 private:
  struct implementation;
  std::unique_ptr<implementation> impl_;
};

} // namespace gasoline

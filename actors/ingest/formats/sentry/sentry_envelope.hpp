#pragma once

#include "actors/ingest/decoding/json_body.hpp"
#include "config/values/user_error.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// The first line of an envelope.
struct sentry_envelope_head {
  std::string event_id; ///< of the event in it; may be empty
  std::string sdk;      ///< name and version of the sender; may be empty
};

/// One item of an envelope.
struct sentry_item {
  std::string type;
  std::string_view payload;
};

/// Cuts an envelope into items: a JSON line as header, then for each item a JSON line and a
/// payload, which has the bytes that its line tells or ends with its own line. Reads forward once.
class sentry_envelope {
 public:
  /// `bytes` outlive the items.
  sentry_envelope(std::string_view bytes, json_body& json) : rest_(bytes), json_(json) {}

  /// The header; read before the items.
  result_or<sentry_envelope_head> head();

  /// The next item, or nothing at the end. After an error nothing more can be found.
  result_or<std::optional<sentry_item>> next();

 private:
  std::string_view take_line();
  result_or<std::string_view> take_bytes(std::uint64_t length);

  std::string_view rest_;
  json_body& json_;
};

} // namespace gasoline

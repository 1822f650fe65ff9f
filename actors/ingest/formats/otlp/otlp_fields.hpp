#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"
#include "actors/ingest/formats/otlp/otlp_records.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// Writes the fields of an event: the inside of a JSON object, within the cap of an entry.
class otlp_fields {
 public:
  otlp_fields(std::string& out, const decode_context& context) : out_(out), context_(context) {}

  /// Makes room once for the attributes and what is told beside them.
  void reserve(const otlp_attributes& attributes);

  /// Adds the ids that there are. Where they come first, redaction knows them as no secret
  /// (`redaction_engine`).
  void ids(const otlp_id& trace, const otlp_id& span);

  /// Adds a text; an empty one adds nothing.
  void text(std::string_view key, std::string_view value);

  void number(std::string_view key, std::int64_t value);

  /// Adds the attributes as one object, but for those that the event tells otherwise.
  void attributes(const otlp_attributes& attributes);

 private:
  void key(std::string_view name);

  std::string& out_;
  const decode_context& context_;
};

/// The value as text: a text itself, the rest as JSON; at most `bytes`.
std::string text_of_value(const otlp_value& value, const decode_context& context,
                          std::size_t bytes);

/// A whole number, or a text that holds one.
std::optional<std::int64_t> whole_number(const otlp_value* value);

} // namespace gasoline

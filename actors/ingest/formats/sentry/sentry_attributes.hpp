#pragma once

#include "actors/ingest/decoding/field_list.hpp"

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// The attributes of a span or log record: `{name:{value,type}}`, plain `{name:value}` of older
/// SDKs, or OpenTelemetry's `[{key,value:{stringValue}}]`.
class sentry_attributes {
 public:
  /// Of the member `attributes`, else `data`. The record outlives it.
  explicit sentry_attributes(const simdjson::dom::element& record);

  /// The value of that name; nothing: there is none.
  std::optional<simdjson::dom::element> value(std::string_view name) const;

  /// The same as text; empty: there is none.
  std::string text(std::string_view name) const;

  /// Adds the field `attributes` with those that tell something of the program, not what the SDK
  /// says of itself and of the machine. What has no room in so many bytes is left out.
  void keep_in(field_list& fields, std::size_t most_bytes) const;

 private:
  std::optional<simdjson::dom::element> all_;
};

} // namespace gasoline

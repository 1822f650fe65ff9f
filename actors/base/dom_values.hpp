#pragma once

#include "messages/base/time.hpp"

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// Appends `element` as compact JSON; strings are escaped anew, so that equal text looks equal.
void append_json(std::string& out, const simdjson::dom::element& element);

/// A string's text, nothing for null, compact JSON for the rest.
std::string text_of(const simdjson::dom::element& element);

/// A number, or a string that holds one.
std::optional<double> number_of(const simdjson::dom::element& element);

/// ISO 8601 text, or milliseconds since 1970.
std::optional<wall_time> time_of(const simdjson::dom::element& element);

} // namespace gasoline

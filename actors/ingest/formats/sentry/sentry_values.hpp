#pragma once

#include "messages/base/time.hpp"
#include "messages/telemetry/event.hpp"

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The member of an object; nothing: it has none of that name, or is no object.
std::optional<simdjson::dom::element> member_in(const simdjson::dom::element& object,
                                                std::string_view name);

/// The member's text; empty when it is none.
std::string_view text_in(const simdjson::dom::element& object, std::string_view name);

/// The id of an event; empty when it has none that can be one.
std::string event_id_in(const simdjson::dom::element& object);

/// The elements of a list, however it is wrapped: `[…]` or `{"values":[…]}`; of anything else that
/// is there, that alone.
std::vector<simdjson::dom::element> values_of(const simdjson::dom::element& wrapped);

/// `sentry.javascript.node 11.12.0` of an object with name and version.
std::string sdk_words(const simdjson::dom::element& sdk);

/// The level that a word of a Sentry SDK means; nothing for other words.
std::optional<log_level> sentry_level(std::string_view word);

/// A time in seconds since 1970, or ISO 8601 with or without a zone. Nothing for what is no time,
/// and for clocks that are off by more than a day, which say nothing about when it happened.
std::optional<wall_time> sentry_time(const simdjson::dom::element& value, wall_time now);

/// `checkout` of the release `checkout@1.2.3`; empty: the release names no program.
std::string_view program_of_release(std::string_view release);

} // namespace gasoline

#pragma once

#include "messages/telemetry/event.hpp"

#include <string>
#include <string_view>

namespace gasoline {

// What was done, in words that are the same when it is done again.

/// The page that an event happened on, without query and fragment; empty: none is told.
std::string_view page_of(const event& e);

/// What somebody did on a page, so that it can be told whether it was done again: `click on Pay`.
/// Empty: the event is no action of a user.
std::string action_words(const event& e);

/// `GET /api/items`, with ids as `:id`; empty: the event is no request.
std::string request_words(const event& e);

} // namespace gasoline

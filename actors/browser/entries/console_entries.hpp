#pragma once

#include "config/limits.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/time.hpp"

#include <simdjson.h>

#include <string>
#include <string_view>

namespace gasoline {

/// Where something happened, as entries tell it.
struct entry_place {
  std::string_view url;      ///< of the page
  std::string_view document; ///< its loader
  std::string_view tab;      ///< the page's handle; empty: of no page
  std::string_view frame;    ///< iframe or worker; empty: the page itself
  bool late = false;         ///< it happened before the page was followed
};

// Entries of the format `logs`, as the page script would write them, from what a browser says.

/// `Runtime.consoleAPICalled`; empty: nothing that is told, such as console.clear.
std::string console_entry(const simdjson::dom::element& event, const entry_place& place,
                          const limits_of<entry_room>& limit);

/// `Runtime.exceptionThrown`.
std::string exception_entry(const simdjson::dom::element& event, const entry_place& place);

/// `Log.entryAdded`; empty: what is told otherwise, such as requests that failed.
std::string browser_entry(const simdjson::dom::element& event, const entry_place& place);

/// A stack as Chrome writes it, from `callFrames`.
std::string stack_text(const simdjson::dom::element& trace);

/// A time of the browser, milliseconds since 1970, as ISO 8601.
std::string browser_time(double milliseconds);

/// Adds what all entries tell of where they happened.
void add_place(json_object_writer& w, const entry_place& place);

} // namespace gasoline

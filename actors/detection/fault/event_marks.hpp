#pragma once

#include "messages/telemetry/event.hpp"

#include <string_view>

namespace gasoline {

/// What a page script knows about an event beyond the event itself, as views into its fields,
/// without the quotes. Empty: not told. As untrusted as the rest of the event.
struct event_marks {
  std::string_view page_id;     ///< one document's life
  std::string_view request_id;  ///< of a request; on a log entry, of the request it came out of
  std::string_view error_id;    ///< which error object the entry is about
  std::string_view cause;       ///< why something failed when that is no fault, or `policy`
  std::string_view reported_by; ///< framework or tool that told of an error that nobody threw
  std::string_view dev_server;  ///< toolchain that a socket belongs to
  std::string_view trace_id;    ///< of the trace that an event belongs to, across programs
  std::string_view attempt;     ///< failed tries in a row of a socket, a number
};

/// Where the first of these stands.
text_place page_id_place(const event& e);

/// The first of these alone, which is cheap where its place is known or there is none.
std::string_view page_id_of(const event& e);

/// Reads the marks in one pass over the fields.
event_marks marks_of(const event& e);

} // namespace gasoline

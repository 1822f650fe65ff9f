#pragma once

#include <simdjson.h>

#include <string>

namespace gasoline {

/// The frames of a Sentry stack trace, one a line as Node.js writes them, at most `most`: those of
/// the program itself before those of libraries, each part with the newest call first.
std::string sentry_frames(const simdjson::dom::element& stack, std::size_t most);

/// `/app/orders.py:88` of the first of these frames; empty: there is none with a file.
std::string sentry_place(const simdjson::dom::element& stack);

/// The source line of that frame, without its indentation; empty when it did not come.
std::string sentry_source_line(const simdjson::dom::element& stack);

} // namespace gasoline

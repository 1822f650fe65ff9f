#pragma once

#include "messages/telemetry/event.hpp"

#include <cstddef>

namespace gasoline {

// Keys that say which reports are one fault: numbers that count or point, ids, hashes, ports, times
// and quoted values of the variable kind give way to placeholders; numbers that name the fault stay
// (see fault_numbers.hpp). Whatever merges, suppresses or learns repeats uses these keys. Made of
// redacted text only, at most `max_bytes` long.

/// The first line of a text with placeholders `<n>`, `<id>` and `<value>`.
redacted_text normalised_line(const redacted_text& text, std::size_t max_bytes);

/// Where a URL points, whoever asks: the host unless it is this machine, and the path with id
/// segments as `:id`; no scheme, port, query or fragment.
redacted_text target_key(const redacted_text& url, std::size_t max_bytes);

/// `POST:/api/users:500`; `failed` in place of a status that is not known.
redacted_text request_key(const event& e, std::size_t max_bytes);

/// `error:TypeError: x is not a function in f @ /src/app.js`: the message without the browser's
/// "Uncaught", and the function and the file that threw. What the noise filter has written to the
/// event is taken as it is: answers ask for the keys of hundreds of errors.
redacted_text error_key(const event& e, std::size_t max_bytes);

/// The message without the words that browsers put before an uncaught error's own text.
std::string_view without_uncaught(std::string_view message);

/// The file that threw, with line and column where they are known: the first frame of the stack,
/// else the location that the entry names. Empty when there is none.
redacted_text error_location(const event& e);

/// The URL of a request; waterfall entries may have it in `name`.
redacted_text request_url(const event& e);

/// The request method in capitals, as written when it is none that HTTP knows; empty if not given.
redacted_text method_of(const event& e);

} // namespace gasoline

#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>

namespace gasoline {

/// The line that a console prints for a list of logged values: strings as they are, the rest as
/// JSON. The directives (`%s`, `%d`, …) of `format`, or of the first value when `format` is empty,
/// take their values; `%c`, a style, takes one and shows nothing.
std::string console_message(std::string_view format, const simdjson::dom::element& values);

} // namespace gasoline

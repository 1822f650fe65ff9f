#pragma once

#include <string_view>

namespace gasoline {

/// Where one line of a stack points: `https://host/app.js:10:5`. Empty when the line is no frame
/// (the message at the top, a note about omitted frames) or has no place in a file (native code).
std::string_view frame_location(std::string_view line);

/// The location of the first frame that has one; empty when there is none.
std::string_view first_location(std::string_view stack);

/// The function of the first frame that has a location, without `async`, `[as x]` and the object
/// that says nothing (`Object.f`); empty when it is anonymous or there is none.
std::string_view first_function(std::string_view stack);

/// Whether the stack has located frames and all of them lie in browser extensions.
bool is_extension_only(std::string_view stack);

} // namespace gasoline

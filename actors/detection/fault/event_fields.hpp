#pragma once

#include "messages/base/redacted_text.hpp"

#include <functional>
#include <string_view>

namespace gasoline {

// An event keeps what has no member of its own in `fields`, the inside of a JSON object. These
// functions read one top-level member of it without building a document.

/// The member's value as JSON text, a view into `fields`; empty when there is none.
std::string_view field_json(std::string_view fields, std::string_view name);

/// Calls `visit` with the name and the JSON text of each member, in order.
void for_each_field(std::string_view fields,
                    const std::function<void(std::string_view, std::string_view)>& visit);

/// The member's value as text: strings decoded, numbers and booleans as written; empty when it is
/// absent, null, a list or an object.
redacted_text field_text(const redacted_text& fields, std::string_view name);

/// The members of an object value, again as the inside of a JSON object; empty when it is none.
redacted_text field_members(const redacted_text& fields, std::string_view name);

} // namespace gasoline

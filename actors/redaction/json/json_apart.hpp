#pragma once

#include "actors/redaction/rules/compiled_rules.hpp"

#include <cstddef>
#include <string>

namespace gasoline::redaction {

/// Masks in a JSON document what only something elsewhere in it shows to be secret: cells below a
/// column's name, the payload of an action, the value beside a path, keys of a container of
/// sessions, all data of a `Secret`. `text` holds the document from `begin` on, whole or cut off;
/// it stays JSON. Documents over a few megabytes are left as they are.
void mask_apart(const pass_context& context, std::string& text, std::size_t begin);

} // namespace gasoline::redaction

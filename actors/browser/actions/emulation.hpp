#pragma once

#include "actors/browser/actions/input_events.hpp"
#include "config/values/user_error.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gasoline {

/// The commands that make a page appear as `asked` says: an object of `viewport` ("390x844", a
/// factor behind @), `touch`, `dark`, `offline`, `slow`, `cpu` (times slower), `locale`; false or
/// null puts one back, an empty object all of them. The error names what is valid.
result_or<std::vector<input_command>> emulation_of(const nlohmann::json& asked);

/// The same in words: `emulating viewport 390x844, dark`.
std::string emulation_text(const nlohmann::json& asked);

} // namespace gasoline

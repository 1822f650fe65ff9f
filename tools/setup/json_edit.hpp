#pragma once

#include "config/values/user_error.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

// Edits of a JSON text that change nothing but what they are about: comments, order, indentation,
// line ends, a byte order mark and everything else stay byte by byte. Each reads the text, and
// refuses one that it does not understand, where a member on its way is there twice, or is no
// object.

using json_path = std::vector<std::string>;
using ordered_json = nlohmann::ordered_json;
using element_test = std::function<bool(const ordered_json&)>;

/// The value at the path; nothing: there is none, or the text cannot be read.
std::optional<ordered_json> json_value_at(std::string_view text, const json_path& path);

/// Sets a member, and makes the objects on its way. A value that is equal stays as it is written.
result_or<std::string> set_json_member(std::string_view text, const json_path& path,
                                       const ordered_json& value);

/// The same for an array's element: the first that is `ours` is replaced, or one is added at the
/// end. Of an element that holds an array with elements of others beside ours, only ours is
/// replaced, by the first element of that array in `value`.
result_or<std::string> set_json_element(std::string_view text, const json_path& path,
                                        const ordered_json& value, const element_test& ours);

/// Removes a member; without it the text stays as it is.
result_or<std::string> remove_json_member(std::string_view text, const json_path& path);

/// Removes all elements of an array that are `ours`; of one that is shared with others, as above,
/// only what is ours in it.
result_or<std::string> remove_json_elements(std::string_view text, const json_path& path,
                                            const element_test& ours);

} // namespace gasoline

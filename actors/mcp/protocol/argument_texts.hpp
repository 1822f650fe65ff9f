#pragma once

#include "config/limits.hpp"

#include <nlohmann/json.hpp>

namespace gasoline {

/// Some clients write every argument as a text. Where the schema of a tool wants a list, an object,
/// a number or a boolean and the value is a text that is exactly the JSON of one, it becomes that
/// value, which the tool checks as usual. Parameters that are texts are never read that way, and
/// any other text stays as it is, for the tool to refuse. Values nest at most
/// `limit.client.rpc_depth`.
void read_argument_texts(nlohmann::json& arguments, const nlohmann::json& input_schema,
                         const limits_of<client_room>& limit);

/// The same for the arguments as a whole: an object that came as its JSON text.
void read_arguments_text(nlohmann::json& arguments, const limits_of<client_room>& limit);

} // namespace gasoline

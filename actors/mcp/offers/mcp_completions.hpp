#pragma once

#include <nlohmann/json.hpp>

namespace gasoline {

class request_context;

/// `completion/complete`: the values of a prompt's or a resource template's argument that begin
/// with what has been typed, in the order of their source, at most
/// `limit.client.completion_values`. An unknown reference or argument is `invalid_params`.
void completion_complete(const request_context& context, const nlohmann::json& params);

} // namespace gasoline

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// A parameter of a query, decoded; nothing when it is not there, empty when it cannot be decoded.
std::optional<std::string> query_parameter(std::string_view query, std::string_view name);

} // namespace gasoline

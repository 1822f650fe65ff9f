#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace gasoline {

/// A wrong value of a configuration file as its error quotes it: compact JSON, never at length.
std::string quoted_value(const nlohmann::json& value);

} // namespace gasoline

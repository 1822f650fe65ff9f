#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace gasoline {

/// Compares `found` with the partial JSON `wanted`: objects need only the keys named, arrays match
/// element by element up to the length named, everything else must be equal. An object with one of
/// these keys is an operator: `$contains` (part of a text), `$absent`, `$length`, `$not_contains`.
/// Answers nothing when it matches, else the place and what differs.
std::string mismatch(const nlohmann::json& wanted, const nlohmann::json& found,
                     const std::string& place = "");

} // namespace gasoline

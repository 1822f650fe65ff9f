#pragma once

#include "config/sections/origin_settings.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The address that a caller means, as a browser reads it: without a scheme it is http, and a path
/// alone is one of the site whose `page` is open.
std::string meant_address(std::string_view asked, std::string_view page = {});

/// Why nothing is done in a page of that address: `interact` acts in pages of this machine, and of
/// the origins that the settings name. Nothing: it may be.
std::optional<std::string> refusal_of(std::string_view url,
                                      const std::vector<origin_pattern>& allowed);

} // namespace gasoline

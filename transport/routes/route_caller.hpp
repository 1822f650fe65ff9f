#pragma once

#include "messages/base/asking_party.hpp"
#include "transport/http/http_router.hpp"

#include <string_view>

namespace gasoline {

/// Who calls. The key of a thing may stand in the header of that name, or where the token would.
asking_party route_caller(const http_call& call, std::string_view key_header);

} // namespace gasoline

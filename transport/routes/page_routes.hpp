#pragma once

#include "transport/http/http_router.hpp"

#include <string>

namespace gasoline {

/// `GET /gasoline.js`: the page script, with an entity tag. Empty: this build has none, which is
/// said with 404.
http_route page_script_route(std::string script);

/// `GET /`: what a person sees who opens the engine's address.
http_route front_page_route();

} // namespace gasoline

#pragma once

#include "transport/http/http_router.hpp"
#include "transport/http/rights/page_links.hpp"

#include <memory>
#include <vector>

namespace gasoline {

/// `POST /links`: for who shows the token, the path of a link that opens the engine's own page
/// once. `GET /link/{code}`: gives the browser that opens it a cookie, and leads to that page.
std::vector<http_route> link_routes(std::shared_ptr<page_links> links);

} // namespace gasoline

#pragma once

#include "transport/http/http_router.hpp"

#include <boost/beast/http/message.hpp>

namespace gasoline {

/// What routing looks at in a parsed head. The views live as long as the head does.
http_request_view view_of(const boost::beast::http::request_header<>& head);

} // namespace gasoline

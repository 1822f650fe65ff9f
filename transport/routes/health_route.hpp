#pragma once

#include "transport/http/http_router.hpp"

#include <functional>
#include <memory>
#include <string>

namespace gasoline {

class extension_presence;

/// Asks for the health document; the function given is called once, from any thread.
using ask_health_function = std::function<void(std::function<void(std::string json)>)>;

/// `GET /health`: the whole document for who may use the engine, that there is one for who may only
/// send, and to browser extensions what the older one reads. `ask` is called on the io thread and
/// must not block.
http_route health_route(ask_health_function ask,
                        std::shared_ptr<const extension_presence> extension);

} // namespace gasoline

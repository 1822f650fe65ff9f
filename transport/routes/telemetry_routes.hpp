#pragma once

#include "messages/telemetry/ingest.hpp"
#include "messages/telemetry/ingest_route.hpp"
#include "transport/routes/health_route.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gasoline {

/// What the rows that every engine has call. The functions are called on the io thread and must not
/// block.
struct telemetry_services {
  std::vector<ingest_route> formats;              ///< where bodies of telemetry are taken
  std::function<void(ingest_request_ptr)> ingest; ///< one of these; its `reply` answers it
  ask_health_function health;
  std::string page_script{}; ///< the text of `gasoline.js`
};

/// The rows that every engine has: health, a row for each wire format, the page script, the front
/// page.
std::vector<http_route> telemetry_routes(telemetry_services services,
                                         const limits_of<http_room>& limit);

} // namespace gasoline

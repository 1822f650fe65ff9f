#pragma once

#include "transport/http/http_router.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// When the older browser extension (0.7 and 0.8, of either name) was last heard of. Its telemetry
/// comes by the routes of all senders; what it asks for besides is answered here. Commands to it
/// there are none, so nothing waits and no number is given out: acting is the own browser's.
class extension_presence {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Answers a heartbeat, `POST /sync`; null: it is none. The version is the extension's own, since
  /// another one would be shown to its user as a fault.
  nlohmann::json heard(std::string_view body, time_point now, const std::string& wall_now);

  /// What its popup reads of `GET /health`.
  nlohmann::json health(time_point now, const std::string& wall_now) const;

 private:
  std::optional<time_point> last_;
  std::string last_wall_;
  std::string version_;
  bool pilot_ = false; ///< its user lets it be driven
};

/// Whether the caller is a browser extension, by its origin.
bool is_extension(const http_request_view& head);

/// `GET /health` as an extension gets it.
http_response extension_health(const extension_presence& presence);

/// `POST /sync` and `POST /query-result`, what the older extension calls besides telemetry.
std::vector<http_route> extension_routes(const std::shared_ptr<extension_presence>& presence,
                                         const limits_of<http_room>& limit);

} // namespace gasoline

#pragma once

#include "messages/actors.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>

namespace gasoline {

/// What the HTTP side says about itself in `health`. Belongs to the thread of the io context, on
/// which all actors run too (`loop_scheduler`).
struct http_report {
  std::function<nlohmann::json()> read; ///< null until there is an HTTP side
};

/// Answers `health` for the HTTP side.
health_source::behavior_type http_health(health_source::pointer self,
                                         const std::shared_ptr<const http_report>& report);

} // namespace gasoline

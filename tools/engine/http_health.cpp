#include "tools/engine/http_health.hpp"

#include "actors/base/exception_guard.hpp"

namespace gasoline {

health_source::behavior_type http_health(health_source::pointer self,
                                         const std::shared_ptr<const http_report>& report) {
  guard_exceptions(self);
  return {[report](health_atom) -> health_part {
    return std::make_shared<const nlohmann::json>(report->read ? report->read()
                                                               : nlohmann::json::object());
  }};
}

} // namespace gasoline

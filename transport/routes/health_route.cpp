#include "transport/routes/health_route.hpp"

#include "messages/base/json_text.hpp"

#include <utility>

namespace gasoline {

http_route health_route(ask_health_function ask) {
  return {"GET", "/health", 0,
          [ask = std::move(ask)](const http_call& call, http_reply reply) {
            http_response brief;
            if (!call.may_use) {
              json_object_writer w{brief.body};
              w.text("status", "ok").text("service-name", "gasoline").close();
              reply(std::move(brief));
              return;
            }
            ask([reply = std::move(reply)](std::string json) {
              http_response response;
              response.body = std::move(json);
              reply(std::move(response));
            });
          },
          http_right::send};
}

} // namespace gasoline

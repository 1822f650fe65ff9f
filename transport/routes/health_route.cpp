#include "transport/routes/health_route.hpp"

#include "messages/base/json/json_text.hpp"
#include "transport/routes/extension_routes.hpp"

#include <utility>

namespace gasoline {

http_route health_route(ask_health_function ask,
                        std::shared_ptr<const extension_presence> extension) {
  return {"GET", "/health", 0,
          [ask = std::move(ask), extension = std::move(extension)](const http_call& call,
                                                                   http_reply reply) {
            if (!call.may_use && is_extension(call.head))
              return reply(extension_health(*extension));
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

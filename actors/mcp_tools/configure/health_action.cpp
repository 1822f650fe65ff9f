#include "actors/mcp_tools/configure/health_action.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

namespace gasoline {
namespace {

void show_health(const tool_call& call, const no_arguments&) {
  // Names of clients, services and origins are whatever those say.
  call.health([call](const nlohmann::json& health) {
    call.answer(text_result(labelled_document(dumped(health))));
  });
}

} // namespace

tool_mode health_action() {
  return make_mode("health", "buffers, sources, drops and limits", tool_parameters<no_arguments>{},
                   show_health);
}

} // namespace gasoline

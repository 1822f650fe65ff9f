#include "actors/mcp_tools/configure/clear_action.hpp"

#include "messages/telemetry/query.hpp"

namespace gasoline {
namespace {

void clear_positions(const tool_call& call, const no_arguments&) {
  call.pass_over_alerts();
  store_query newest;
  newest.what = queried_events::timeline;
  newest.limit = 1;
  call.ask_engine<store_page>(
      call.engine().store,
      [call](const store_page& page) {
        call.clear_to(page.newest_sequence);
        call.answer(text_result(
            R"({"status":"cleared","note":"You now read from here on; nothing was deleted."})"));
      },
      query_atom_v, newest);
}

} // namespace

tool_mode clear_action() {
  return make_mode("clear", "starts reading from now; deletes nothing",
                   tool_parameters<no_arguments>{}, clear_positions);
}

} // namespace gasoline

#include "actors/mcp_tools/analyze/analysis/browser_question.hpp"

#include <memory>
#include <utility>

namespace gasoline {

void ask_browser(const tool_call& call, browser_action action,
                 std::function<void(const std::string&)> then) {
  if (!call.engine().browser)
    return call.refuse("This engine drives no browser, whose page could be asked: its settings say "
                       "\"browser\":{\"start\":\"off\"}, or it plays a scenario. Start it with "
                       "--browser on_demand.");
  action.client = call.client();
  call.ask_engine<action_report_ptr>(
      call.engine().browser,
      [call, then = std::move(then)](const action_report_ptr& report) {
        if (report->refused)
          call.refuse(call.redacted(report->text));
        else
          then(call.redacted(report->text));
      },
      act_atom_v, std::make_shared<const browser_action>(std::move(action)));
}

} // namespace gasoline

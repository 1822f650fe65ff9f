#include "actors/mcp_tools/interact/interact_tool.hpp"

#include "actors/mcp_tools/interact/answer/other_words.hpp"
#include "actors/mcp_tools/interact/forms/check_action.hpp"
#include "actors/mcp_tools/interact/forms/fill_action.hpp"
#include "actors/mcp_tools/interact/forms/press_action.hpp"
#include "actors/mcp_tools/interact/forms/select_action.hpp"
#include "actors/mcp_tools/interact/forms/type_action.hpp"
#include "actors/mcp_tools/interact/forms/upload_action.hpp"
#include "actors/mcp_tools/interact/pages/dialog_action.hpp"
#include "actors/mcp_tools/interact/pages/emulate_action.hpp"
#include "actors/mcp_tools/interact/pages/navigate_action.hpp"
#include "actors/mcp_tools/interact/pages/tabs_action.hpp"
#include "actors/mcp_tools/interact/pointer/click_action.hpp"
#include "actors/mcp_tools/interact/pointer/drag_action.hpp"
#include "actors/mcp_tools/interact/pointer/highlight_action.hpp"
#include "actors/mcp_tools/interact/pointer/hover_action.hpp"
#include "actors/mcp_tools/interact/pointer/scroll_action.hpp"
#include "actors/mcp_tools/interact/reading/evaluate_action.hpp"
#include "actors/mcp_tools/interact/reading/find_action.hpp"
#include "actors/mcp_tools/interact/reading/read_action.hpp"
#include "actors/mcp_tools/interact/reading/screenshot_action.hpp"
#include "actors/mcp_tools/interact/reading/snapshot_action.hpp"
#include "actors/mcp_tools/interact/reading/wait_for_action.hpp"

namespace gasoline {
namespace {

/// One row an action, in the order in which they are listed.
std::vector<tool_mode> interact_modes() {
  return {
      navigate_action(),   click_action(),    type_action(),   fill_action(),
      select_action(),     check_action(),    press_action(),  hover_action(),
      find_action(),       snapshot_action(), read_action(),   wait_for_action(),
      screenshot_action(), evaluate_action(), dialog_action(), tabs_action(),
      scroll_action(),     drag_action(),     upload_action(), emulate_action(),
      highlight_action(),
  };
}

} // namespace

tool interact_tool() {
  tool out;
  out.name = "interact";
  out.toolset = "core";
  out.title = "Act in the browser";
  out.description =
      "Acts in a page of this machine as a person would; says what came of it: changes, "
      "dialogs, errors, failed requests.";
  out.carries_alerts = true;
  out.selector = {"action"};
  out.meant = action_meant_by;
  out.modes = interact_modes();
  return out;
}

} // namespace gasoline

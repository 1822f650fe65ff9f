#include "actors/mcp_tools/interact/interact_tool.hpp"

#include "actors/mcp_tools/interact/check_action.hpp"
#include "actors/mcp_tools/interact/click_action.hpp"
#include "actors/mcp_tools/interact/dialog_action.hpp"
#include "actors/mcp_tools/interact/drag_action.hpp"
#include "actors/mcp_tools/interact/emulate_action.hpp"
#include "actors/mcp_tools/interact/evaluate_action.hpp"
#include "actors/mcp_tools/interact/fill_action.hpp"
#include "actors/mcp_tools/interact/find_action.hpp"
#include "actors/mcp_tools/interact/highlight_action.hpp"
#include "actors/mcp_tools/interact/hover_action.hpp"
#include "actors/mcp_tools/interact/navigate_action.hpp"
#include "actors/mcp_tools/interact/press_action.hpp"
#include "actors/mcp_tools/interact/read_action.hpp"
#include "actors/mcp_tools/interact/screenshot_action.hpp"
#include "actors/mcp_tools/interact/scroll_action.hpp"
#include "actors/mcp_tools/interact/select_action.hpp"
#include "actors/mcp_tools/interact/snapshot_action.hpp"
#include "actors/mcp_tools/interact/tabs_action.hpp"
#include "actors/mcp_tools/interact/type_action.hpp"
#include "actors/mcp_tools/interact/upload_action.hpp"
#include "actors/mcp_tools/interact/wait_for_action.hpp"

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
  out.modes = interact_modes();
  return out;
}

} // namespace gasoline

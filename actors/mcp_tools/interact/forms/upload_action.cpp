#include "actors/mcp_tools/interact/forms/upload_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {
namespace {

bool take_files(tool_arguments& arguments, std::string_view name, browser_action& action) {
  const auto files = arguments.texts(name);
  if (!files || files->empty())
    return false;
  action.files = *files;
  return true;
}

} // namespace

tool_mode upload_action() {
  auto parameters = action_parameters(browser_verb::upload);
  add_element(parameters, element_need::needed);
  parameters.add("files", {{"type", "array"}, {"items", {{"type", "string"}}}}, take_files)
      .needed(": a list of paths of the files to upload.");
  return browser_mode("upload", "gives files to an input for them, or by the button that asks",
                      std::move(parameters));
}

} // namespace gasoline

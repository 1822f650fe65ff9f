#include "actors/mcp_tools/interact/pages/emulate_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {
namespace {

constexpr const char* features_example = R"({"viewport":"390x844","dark":true})";

bool take_features(tool_arguments& arguments, std::string_view name, browser_action& action) {
  const auto text = arguments.object(name, features_example);
  if (!text)
    return false;
  action.fields = nlohmann::ordered_json::parse(*text, nullptr, false);
  return true;
}

} // namespace

tool_mode emulate_action() {
  auto parameters = action_parameters(browser_verb::emulate);
  parameters.add("fields", {{"type", "object"}}, take_features);
  return browser_mode(
      "emulate", "viewport, dark, touch, offline, slow, cpu and locale of the page, until changed",
      std::move(parameters));
}

} // namespace gasoline

#include "actors/mcp_tools/interact/action_parameters.hpp"

#include "actors/mcp_tools/interact/action_answer.hpp"

#include <utility>

namespace gasoline {
namespace {

constexpr std::uint64_t longest_ms = 120'000;

/// Where a parameter of the element goes.
auto in_element(std::string element_choice::*member) {
  return [member](browser_action& action) -> std::string& { return action.element.*member; };
}

} // namespace

tool_parameters<browser_action> action_parameters(browser_verb verb) {
  browser_action usual;
  usual.verb = verb;
  tool_parameters<browser_action> out{std::move(usual)};
  out.text("page", &browser_action::page).about("Handle such as p1; default: your page");
  out.integer("timeout_ms", &browser_action::timeout, 1, longest_ms);
  return out;
}

void add_element(tool_parameters<browser_action>& parameters, element_need need) {
  parameters.text("handle", in_element(&element_choice::handle))
      .about("Element, as answered: w1e5");
  parameters.text("role", in_element(&element_choice::role));
  parameters.text("name", in_element(&element_choice::name)).about("Its accessible name");
  parameters.text("text", in_element(&element_choice::text));
  parameters.text("label", in_element(&element_choice::label));
  parameters.text("testid", in_element(&element_choice::testid));
  auto& last = parameters.text("css", in_element(&element_choice::css));
  if (need == element_need::needed)
    last.check([](tool_arguments& arguments, const browser_action& action) {
      if (action.element.empty())
        arguments.fail("Say which element is meant: by handle, role and name, text, label, testid "
                       "or css.");
    });
}

tool_mode browser_mode(std::string_view name, std::string_view about,
                       tool_parameters<browser_action> parameters) {
  return make_mode(name, about, std::move(parameters), run_action);
}

} // namespace gasoline

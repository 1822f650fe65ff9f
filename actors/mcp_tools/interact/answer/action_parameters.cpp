#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

#include "actors/mcp_tools/interact/answer/action_answer.hpp"
#include "actors/mcp_tools/interact/answer/other_words.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

constexpr std::uint64_t longest_ms = 120'000;

/// Where a parameter of the element goes.
auto in_element(std::string element_choice::*member) {
  return [member](browser_action& action) -> std::string& { return action.element.*member; };
}

constexpr const char* secret_example = R"({"secret":"NAME"})";

/// The name in the text `{"secret":"NAME"}`.
std::optional<std::string> secret_name(std::string_view text) {
  const auto value = nlohmann::json::parse(text, nullptr, false);
  if (value.is_object() && value.size() == 1 && value.contains("secret") &&
      value["secret"].is_string())
    return value["secret"].get<std::string>();
  return std::nullopt;
}

/// An object can only be a secret.
bool take_secret(tool_arguments& arguments, std::string_view name, browser_action& action) {
  const auto text = arguments.object(name, secret_example);
  const auto secret = secret_name(text.value_or(""));
  if (text && !secret)
    arguments.fail(std::string{name} + " is a text, or " + secret_example + ".");
  action.secret = secret.value_or("");
  return secret.has_value();
}

/// The schema says that it is a text, since some providers take one type only; so the object may
/// come as its text as well.
bool take_value(tool_arguments& arguments, std::string_view name, browser_action& action) {
  if (const auto* given = arguments.any(name); given != nullptr && given->is_object())
    return take_secret(arguments, name, action);
  action.value = arguments.text_or_number(name);
  if (!action.value)
    return false;
  if (auto secret = secret_name(*action.value)) {
    action.secret = std::move(*secret);
    action.value.reset();
    return true;
  }
  return !action.value->empty();
}

} // namespace

tool_parameter<browser_action>& add_value(tool_parameters<browser_action>& parameters) {
  return parameters.add("value", {{"type", "string"}}, take_value);
}

tool_parameters<browser_action> action_parameters(browser_verb verb) {
  browser_action usual;
  usual.verb = verb;
  tool_parameters<browser_action> out{std::move(usual)};
  out.text("page", &browser_action::page).about("Like p1");
  out.integer("timeout_ms", &browser_action::timeout, 1, longest_ms);
  return out;
}

void add_element(tool_parameters<browser_action>& parameters, element_need need) {
  parameters.text("handle", in_element(&element_choice::handle)).about("Like w1e5");
  parameters.text("role", in_element(&element_choice::role));
  parameters.text("name", in_element(&element_choice::name));
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
  parameters.refuse_unknown(name, parameter_meant_by);
  return make_mode(name, about, std::move(parameters), run_action);
}

} // namespace gasoline

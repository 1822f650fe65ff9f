#include "actors/mcp_tools/interact/forms/fill_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace gasoline {
namespace {

constexpr const char* fields_example = R"({"Email":"a@b.test","Accept":true})";

constexpr std::size_t most_fields = 200;

/// An object with its members in their order; discarded when there are more than anybody fills in.
nlohmann::ordered_json in_order(const std::string& text) {
  std::size_t members = 0;
  const auto within_cap = [&members](int depth, nlohmann::ordered_json::parse_event_t event,
                                     const nlohmann::ordered_json&) {
    members += depth == 1 && event == nlohmann::ordered_json::parse_event_t::key ? 1U : 0U;
    return members <= most_fields;
  };
  auto out = nlohmann::ordered_json::parse(text, within_cap, false);
  if (members > most_fields)
    return nlohmann::ordered_json::value_t::discarded;
  return out;
}

bool is_secret(const nlohmann::ordered_json& value) {
  return value.is_object() && value.size() == 1 && value.contains("secret") &&
         value["secret"].is_string();
}

bool is_one_value(const nlohmann::ordered_json& value) {
  return value.is_string() || value.is_number();
}

/// What nobody could fill in is not filled in as its JSON.
void check_values(tool_arguments& arguments, const nlohmann::ordered_json& fields) {
  for (const auto& field : fields.items()) {
    const auto& value = field.value();
    const bool is_list =
        value.is_array() && !value.empty() && std::all_of(value.begin(), value.end(), is_one_value);
    if (!is_one_value(value) && !value.is_boolean() && !is_list && !is_secret(value))
      return arguments.fail(
          "fields " + tool_arguments::quoted(field.key()) +
          R"( takes a text, a number, true or false, a list of options, or {"secret":"NAME"}.)");
  }
}

bool take_fields(tool_arguments& arguments, std::string_view name, browser_action& action) {
  const auto text = arguments.object_in_order(name, fields_example);
  if (!text)
    return false;
  action.fields = in_order(*text);
  if (action.fields.is_discarded())
    arguments.fail("fields takes at most " + std::to_string(most_fields) +
                   " fields at once; fill in the rest with another call.");
  else if (action.fields.empty())
    arguments.fail(std::string{"fields is empty; it is like "} + fields_example + '.');
  else
    check_values(arguments, action.fields);
  return true;
}

/// Either a form, or one element with its value.
void check_fill(tool_arguments& arguments, const browser_action& action) {
  const bool has_value = action.value || !action.secret.empty();
  if (action.fields.is_object() && action.element.empty() && !has_value)
    return;
  if (action.fields.is_object())
    arguments.fail("fill takes either fields, or one element with a value.");
  else if (action.element.empty())
    arguments.fail(std::string{"Say what is filled in: fields such as "} + fields_example +
                   ", or one element with its value.");
  else if (!has_value)
    arguments.fail("value is missing: the text to fill in; empty clears the element.");
}

} // namespace

tool_mode fill_action() {
  auto parameters = action_parameters(browser_verb::fill);
  add_element(parameters, element_need::optional);
  add_value(parameters);
  parameters.add("fields", {{"type", "object"}}, take_fields)
      .about("fill: label to value; emulate: viewport 390x844, dark, touch, offline, slow, cpu, "
             "locale");
  parameters.check(check_fill);
  return browser_mode("fill", "puts a value into a field, or fills in a form by its labels",
                      std::move(parameters));
}

} // namespace gasoline

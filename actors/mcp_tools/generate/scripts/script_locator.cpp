#include "actors/mcp_tools/generate/scripts/script_locator.hpp"

#include "actors/detection/fault/event_fields.hpp"
#include "actors/mcp_tools/generate/generation/script_text.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

/// The page script cuts texts of controls there.
constexpr std::size_t cut_text_bytes = 50;

/// A text in which something was masked finds nothing.
bool can_find(std::string_view text) {
  return !text.empty() && !has_mask(text);
}

/// The name of the element in the last step of a CSS path; empty: the path ends with an id.
std::string_view tag_in(std::string_view css) {
  const auto step = css.substr(css.rfind('>') + 1);
  return step.starts_with('#') ? std::string_view{} : step.substr(0, step.find_first_of(":.[#"));
}

std::string_view input_role(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> roles{{
      {"checkbox", "checkbox"},
      {"radio", "radio"},
      {"button", "button"},
      {"submit", "button"},
      {"reset", "button"},
      {"range", "slider"},
      {"number", "spinbutton"},
      {"search", "searchbox"},
      {"text", "textbox"},
      {"email", "textbox"},
  }};
  for (const auto& [name, role] : roles)
    if (name == type)
      return role;
  return {};
}

/// The role of the element, as it says or as its kind has it; empty: not known.
std::string role_of(const redacted_text& selectors, const event& action) {
  if (auto role = field_text(selectors, "role"); can_find(role.view()))
    return role.str();
  auto tag = field_text(selectors, "tag").str();
  if (tag.empty())
    tag = tag_in(field_text(selectors, "css").view());
  if (tag == "button")
    return "button";
  if (tag == "a")
    return "link";
  if (tag == "select")
    return "combobox";
  if (tag == "textarea")
    return "textbox";
  return std::string{input_role(field_text(action.fields, "input_type").view())};
}

void add(std::string& out, const std::string& locator) {
  out.append(out.empty() ? "" : ", ").append("in_frame.").append(locator);
}

void add_role(std::string& out, const std::string& role, std::string_view told) {
  const auto name = told.substr(0, told.find_last_not_of(' ') + 1);
  if (!can_find(name))
    return;
  const auto exact = told.size() < cut_text_bytes ? ", exact: true" : "";
  if (role.empty())
    add(out, "getByText(" + script_string(name) + (*exact ? ", { exact: true })" : ")"));
  else
    add(out,
        "getByRole(" + script_string(role) + ", { name: " + script_string(name) + exact + " })");
}

} // namespace

std::string script_locators(const event& action, std::string_view member) {
  const auto selectors = field_members(action.fields, member);
  std::string out;
  if (const auto id = field_text(selectors, "testid"); can_find(id.view()))
    add(out, "getByTestId(" + script_string(id.view()) + ')');
  const auto role = role_of(selectors, action);
  const auto label = field_text(selectors, "label");
  if (can_find(label.view()) && !role.empty())
    add_role(out, role, label.view());
  else if (can_find(label.view()))
    add(out, "getByLabel(" + script_string(label.view()) + ')');
  if (label.empty())
    add_role(out, role, field_text(selectors, "text").view());
  if (const auto hint = field_text(selectors, "placeholder"); can_find(hint.view()))
    add(out, "getByPlaceholder(" + script_string(hint.view()) + ')');
  auto css = field_text(selectors, "css");
  if (css.empty() && member == own_selectors)
    css = field_text(action.fields, "selector");
  if (can_find(css.view()))
    add(out, "locator(" + script_string("css=" + css.str()) + ')');
  return out.empty() ? out : "(in_frame) => [" + out + ']';
}

} // namespace gasoline

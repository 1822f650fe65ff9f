#include "actors/mcp_tools/generate/scripts/script_steps.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/mcp_tools/generate/generation/recorded_requests.hpp"
#include "actors/mcp_tools/generate/generation/script_text.hpp"
#include "actors/mcp_tools/generate/scripts/script_locator.hpp"
#include "actors/resolution/deed_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

/// What a browser makes of one deed of the user comes within that time: the click on the field of a
/// label, on the button of a form in which Enter was pressed.
constexpr std::chrono::milliseconds same_deed{40};
/// A form is submitted so soon after the deed that submits it.
constexpr std::chrono::milliseconds submit_reach{1'000};
constexpr std::size_t most_value = 200;

/// A value of that many characters which says what it is.
std::string example_text(std::size_t length) {
  constexpr std::string_view words = "example text ";
  std::string out;
  while (out.size() < length)
    out += words;
  out.resize(length);
  if (out.ends_with(' '))
    out.back() = 's';
  return out;
}

/// Told as it began: more may have been typed by when the fault came. What is not typed as a text
/// is whole each time.
bool is_still_typed(const event& action) {
  constexpr std::array<std::string_view, 7> whole{"date",  "time",           "month", "week",
                                                  "color", "datetime-local", "range"};
  const auto type = field_text(action.fields, "input_type");
  return field_json(action.fields.view(), "typing") == "true" &&
         std::find(whole.begin(), whole.end(), type.view()) == whole.end();
}

std::size_t value_length(const event& action) {
  const auto text = field_text(action.fields, "value_length");
  constexpr auto usual = std::string_view{"example"}.size();
  std::size_t out = usual;
  std::from_chars(text.view().data(), text.view().data() + text.size(), out);
  return std::clamp(out, is_still_typed(action) ? usual : 0, most_value);
}

/// What to type, as an expression: what was typed is not recorded, so it is of the same kind.
std::string value_expression(const event& action) {
  const auto type = field_text(action.fields, "input_type");
  if (type.view() == "password")
    return R"(process.env.TEST_PASSWORD ?? "example-Password-1")";
  const auto given = field_text(action.fields, "value");
  if (!given.empty() && !has_mask(given.view()))
    return script_string(given.view());
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> examples{{
      {"email", "user@example.com"},
      {"url", "https://example.com/"},
      {"tel", "+15550100"},
      {"number", "1"},
      {"range", "50"},
      {"date", "2026-01-15"},
      {"time", "12:00"},
      {"month", "2026-01"},
      {"week", "2026-W03"},
      {"datetime-local", "2026-01-15T12:00"},
      {"color", "#336699"},
  }};
  for (const auto& [name, value] : examples)
    if (name == type.view() && value_length(action) > 0)
      return script_string(value);
  return script_string(example_text(value_length(action)));
}

std::string number_of(const event& action, std::string_view name) {
  const auto text = field_json(action.fields.view(), name);
  const bool digits =
      !text.empty() && text.size() < 7 &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? std::string{text} : "0";
}

/// The element of those locators, as an expression; in a frame where the action was in one.
std::string element_expression(const event& action, const std::string& locators) {
  const bool is_framed = field_text(action.fields, "frame").view() == "iframe";
  return "await one(page, " + locators + (is_framed ? ", true)" : ")");
}

/// What is done to the element; nothing: it is no deed of the user's own.
std::optional<std::string> deed(const event& action) {
  const auto kind = action.name.view();
  const auto type = field_text(action.fields, "input_type");
  if (kind == "click")
    return "click()";
  if (kind == "dblclick")
    return "dblclick()";
  if (kind == "contextmenu")
    return R"(click({ button: "right" }))";
  if (kind == "drag") {
    const auto to = script_locators(action, "to");
    return to.empty() ? std::nullopt
                      : std::optional{"dragTo(" + element_expression(action, to) + ')'};
  }
  if (kind == "keypress")
    return "press(" + script_string(field_text(action.fields, "key").view()) + ')';
  if (kind == "select")
    return "selectOption({ index: " + number_of(action, "selected_index") + " })";
  if (kind == "submit")
    return "evaluate((form) => form.requestSubmit())";
  if (kind != "input")
    return std::nullopt;
  if (type.view() == "checkbox" || type.view() == "radio") // its click is the deed
    return std::nullopt;
  if (type.view() == "file")
    return R"(setInputFiles({ name: "example.txt", mimeType: "text/plain", buffer: Buffer.from("example") }))";
  return (is_still_typed(action) ? "pressSequentially(" : "fill(") + value_expression(action) + ')';
}

/// Whether the browser may have passed that click on to a field: it was on a label or within one. A
/// path that begins at an id does not say what is above.
bool may_be_on_label(const event& click) {
  const auto selectors = field_members(click.fields, "selectors");
  if (field_text(selectors, "tag").view() == "label")
    return true;
  const auto css = field_text(selectors, "css");
  const auto path = css.view();
  return path.starts_with('#') || path.starts_with("label") ||
         path.find(">label") != std::string_view::npos;
}

/// Whether labels are for elements of that kind. Buttons may have one too, which nobody writes,
/// while two buttons may well be clicked one after the other.
bool has_label(const event& click) {
  const auto type = field_text(click.fields, "input_type");
  return !type.empty() && type.view() != "button" && type.view() != "submit" &&
         type.view() != "reset";
}

/// Whether the browser did it as a part of what the user did before.
bool follows_from(const event& action, const event& before) {
  const auto since = action.at - before.at;
  const bool clicked = before.name.view() == "click";
  const bool pressed = before.name.view() == "keypress";
  if ((!clicked && !pressed) || page_id_of(action) != page_id_of(before))
    return false;
  if (action.name.view() == "click")
    return since <= same_deed && (pressed || (may_be_on_label(before) && has_label(action)));
  return action.name.view() == "submit" && since <= submit_reach;
}

/// A line of the script: to which element, and what.
struct own_deed {
  std::string element; ///< an expression
  std::string call;
};

/// The address, of this run of the app.
std::string address_expression(std::string_view address) {
  const auto known = valid_uri(address);
  const auto pieces = take_apart(known);
  return "new URL(" + script_string(std::string{pieces.path} + std::string{pieces.rest}) +
         ", base).href";
}

/// A page that was opened by its address.
own_deed opened_page(const event& action) {
  return {"page", "goto(" + address_expression(field_text(action.fields, "to_url").view()) + ')'};
}

bool writes(std::string_view call) {
  return call.starts_with("fill(") || call.starts_with("pressSequentially(");
}

/// Leaves out what the newest deed was before it was all of what it is: two clicks of a double one,
/// a text of which there is more now.
void replace_beginnings(std::vector<own_deed>& deeds, const own_deed& whole) {
  const auto is_beginning = [&](const own_deed& each) {
    return each.element == whole.element &&
           ((whole.call == "dblclick()" && each.call == "click()") ||
            (writes(whole.call) && writes(each.call)));
  };
  while (!deeds.empty() && is_beginning(deeds.back()))
    deeds.pop_back();
}

/// What the user did, without what the browser made of it.
std::vector<own_deed> own_deeds(const fault_story& story) {
  std::vector<own_deed> out;
  const auto opened_first = "goto(" + address_expression(story.start.view()) + ')';
  const event* before = nullptr;
  for (const auto* e : story.actions) {
    if (is_opening(*e)) {
      auto next = opened_page(*e);
      if (!out.empty() || next.call != opened_first)
        out.push_back(std::move(next));
      continue;
    }
    auto call = deed(*e);
    const auto locators = script_locators(*e);
    const bool own = call && !locators.empty() && !(before && follows_from(*e, *before));
    if (own) {
      own_deed next{'(' + element_expression(*e, locators) + ')', std::move(*call)};
      replace_beginnings(out, next);
      out.push_back(std::move(next));
    }
    if (own || e->name.view() == "keypress")
      before = e;
  }
  return out;
}

} // namespace

std::string script_steps(const fault_story& story, std::string_view indent) {
  std::string out{indent};
  out += "await page.goto(" + address_expression(story.start.view()) + ");\n";
  for (const auto& each : own_deeds(story)) {
    out.append(indent).append("await ").append(each.element).append(".");
    out.append(each.call).append(";\n");
  }
  return out;
}

std::string script_dialogs(const fault_story& story, std::string_view indent) {
  std::string answers;
  for (const auto* e : story.actions)
    if (e->name.view() == "dialog")
      answers += std::string{answers.empty() ? "" : ", "} +
                 (field_json(e->fields.view(), "accept") == "false" ? "false" : "true");
  const std::string at{indent};
  return at + "const answers = [" + answers + "];\n" + at +
         "page.context().on(\"dialog\", (dialog) =>\n" + at +
         "  (answers.shift() ?? true) ? dialog.accept(\"example\") : dialog.dismiss(),\n" + at +
         ");\n";
}

std::size_t steps_in(const fault_story& story) {
  return own_deeds(story).size();
}

std::string start_origin(const fault_story& story) {
  const auto pieces = take_apart(story.start.view());
  const bool known = pieces.scheme == "http" || pieces.scheme == "https";
  return known ? std::string{pieces.origin} : std::string{};
}

} // namespace gasoline

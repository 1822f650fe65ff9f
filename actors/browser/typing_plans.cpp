#include "actors/browser/actions/action_rights.hpp"
#include "actors/browser/browser_core.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

const json& editable() {
  static const json wants{{"editable", true}, {"enabled", true}};
  return wants;
}

/// What a field is given, as a text.
std::string value_text(const nlohmann::ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The options that a list is given.
std::vector<std::string> value_texts(const nlohmann::ordered_json& values) {
  std::vector<std::string> out;
  for (const auto& each : values)
    out.push_back(value_text(each));
  return out;
}

/// Values as they are told: `"A", "B"`.
std::string quoted(const std::vector<std::string>& values) {
  std::string out;
  for (const auto& each : values)
    out += (out.empty() ? "" : ", ") + page_quote(each);
  return out;
}

/// The name of the secret that a field is given; empty: it is none.
std::string secret_name(const nlohmann::ordered_json& value) {
  if (!value.is_object() || value.size() != 1 || !value.contains("secret"))
    return {};
  return value_text(value["secret"]);
}

std::string unknown_secret_text(const std::string& name, const page_secrets& secrets) {
  std::string known;
  for (const auto& [each, secret] : secrets)
    known += (known.empty() ? "" : ", ") + each;
  return "There is no secret " + page_quote(name) + "; " +
         (known.empty() ? "none is known" : "known are " + known) +
         ". Its owner names the file that holds it in the settings, under interact.secrets." +
         name + '.';
}

/// Whether a field of that role may be filled in by choosing.
bool may_be_chosen_from(std::string_view role) {
  constexpr std::array<std::string_view, 5> roles{"combobox", "listbox", "button", "group",
                                                  "radiogroup"};
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

/// A field by its label, or by the handle that an answer gave it.
element_choice field_choice(const std::string& key) {
  element_choice out;
  (parse_handle(key) ? out.handle : out.label) = key;
  return out;
}

/// That element and no other.
element_choice same_element(const found_element& element) {
  element_choice out;
  out.handle = handle_text(element.world.number, element.number);
  return out;
}

} // namespace

std::optional<browser_core::field_value> browser_core::secret_value(const action_run_ptr& run,
                                                                    const std::string& name) {
  const auto found = parts_.secrets.find(name);
  if (found == parts_.secrets.end())
    refuse(run, unknown_secret_text(name, parts_.secrets));
  else if (!found->second.refusal.empty())
    refuse(run, "The secret " + page_quote(name) + " was not filled in. " + found->second.refusal +
                    " The file is read when the engine starts: start it again then.");
  else
    return field_value{found->second.text, true};
  return std::nullopt;
}

/// Secrets go to the page that the action is for, not to what stands in its frames.
bool browser_core::may_have_secrets(const action_run_ptr& run, const found_element& element) {
  const auto refusal = refusal_of(element.world.frame.url, parts_.settings.origins);
  if (refusal)
    refuse(run, *refusal);
  return !refusal;
}

void browser_core::type(const action_run_ptr& run) {
  auto text = run->asked->value.value_or("");
  const bool is_secret = !run->asked->secret.empty();
  if (is_secret) {
    const auto secret = secret_value(run, run->asked->secret);
    if (!secret)
      return;
    text = secret->text;
  }
  if (run->asked->element.empty()) {
    if (is_secret)
      return refuse(run, "Say which element the secret is for; it is not typed elsewhere.");
    run->did = "typed";
    return look_first(run, [this, run, text] {
      do_input(run, typing_events(text), [this, run] { settle(run); });
    });
  }
  with_element(run, run->asked->element, editable(),
               [this, run, text, is_secret](const ready_element& ready) {
                 if (is_secret && !may_have_secrets(run, ready.element))
                   return;
                 run->did = "typed into " + ready.element.shown;
                 worlds_.ask(ready.element.world, "focus_for",
                             json::array({ready.element.number, nullptr, text}),
                             [this, run, text](const hands_answer& answer) {
                               if (run->over)
                                 return;
                               if (answer.value.value("done", false))
                                 return settle(run);
                               do_input(run, typing_events(text), [this, run] { settle(run); });
                             });
               });
}

void browser_core::press(const action_run_ptr& run) {
  const auto keys = key_events(run->asked->key);
  if (!keys)
    return refuse(run, keys.error().message);
  const auto press_now = [this, run, events = *keys] {
    do_input(run, events, [this, run] { settle(run); });
  };
  run->did = "pressed " + run->asked->key;
  if (run->asked->element.empty())
    return look_first(run, press_now);
  with_element(run, run->asked->element, json::object(),
               [this, run, press_now](const ready_element& ready) {
                 run->did += " in " + ready.element.shown;
                 worlds_.ask(ready.element.world, "focus_for", json::array({ready.element.number}),
                             [run, press_now](const hands_answer&) {
                               if (!run->over)
                                 press_now();
                             });
               });
}

void browser_core::fill(const action_run_ptr& run) {
  if (run->asked->fields.is_object())
    return fill_fields(run, 0);
  field_value value{run->asked->value.value_or("")};
  if (!run->asked->secret.empty()) {
    const auto secret = secret_value(run, run->asked->secret);
    if (!secret)
      return;
    value = *secret;
  }
  fill_one(run, run->asked->element, value, [this, run](const std::string& shown) {
    run->did = "filled " + shown;
    settle(run);
  });
}

/// One field after the other, as a person fills in a form; each by its label.
void browser_core::fill_fields(const action_run_ptr& run, std::size_t index) {
  const auto& fields = run->asked->fields;
  if (index == fields.size())
    return settle(run);
  const auto field = std::next(fields.begin(), static_cast<std::ptrdiff_t>(index));
  const auto choice = field_choice(field.key());
  const auto next = [this, run, index](const std::string& shown) {
    run->did += (run->did.empty() ? "filled " : ", ") + shown;
    fill_fields(run, index + 1);
  };
  if (field->is_boolean())
    return check(run, choice, field->get<bool>(), next);
  if (field->is_array() && !field->empty())
    return select(run, choice, value_texts(*field), next);
  if (const auto name = secret_name(*field); !name.empty()) {
    if (const auto secret = secret_value(run, name))
      fill_one(run, choice, *secret, next);
    return;
  }
  fill_one(run, choice, {value_text(*field)}, next);
}

void browser_core::fill_one(const action_run_ptr& run, const element_choice& choice,
                            const field_value& value,
                            const std::function<void(const std::string& shown)>& then) {
  with_element(run, choice, editable(), [this, run, value, then](const ready_element& ready) {
    const auto& element = ready.element;
    if (value.is_secret && !may_have_secrets(run, element))
      return;
    if (!may_be_chosen_from(element.role))
      return write(run, element, value.text, then);
    worlds_.ask(element.world, "is_chosen_from", json::array({element.number}),
                [this, run, element, value, then](const hands_answer& answer) {
                  if (run->over)
                    return;
                  if (answer.value.value("chosen", false))
                    return select(run, same_element(element), {value.text}, then);
                  write(run, element, value.text, then);
                });
  });
}

/// Puts a text in place of what a field holds.
void browser_core::write(const action_run_ptr& run, const found_element& element,
                         const std::string& text,
                         std::function<void(const std::string& shown)> then) {
  worlds_.ask(
      element.world, "focus_for", json::array({element.number, text}),
      [this, run, text, then = std::move(then), shown = element.shown](const hands_answer& answer) {
        if (run->over)
          return;
        if (const auto problem = answer.value.value("problem", answer.problem); !problem.empty())
          return refuse(run, shown + ' ' + problem + ".");
        if (answer.value.value("done", false))
          return then(shown);
        std::vector<input_command> input;
        if (text.empty())
          input = *key_events("Delete");
        else
          input.push_back({"Input.insertText", {{"text", text}}});
        do_input(run, input, [then, shown] { then(shown); });
      });
}

void browser_core::select(const action_run_ptr& run, const element_choice& choice,
                          const std::vector<std::string>& values,
                          std::function<void(const std::string& shown)> then) {
  with_element(
      run, choice, {{"enabled", true}},
      [this, run, values, then = std::move(then)](const ready_element& ready) {
        run->acted = true;
        worlds_.ask(ready.element.world, "choose", json::array({ready.element.number, values}),
                    [this, run, values, then, element = ready.element](const hands_answer& answer) {
                      if (run->over)
                        return;
                      if (const auto problem = answer.value.value("problem", answer.problem);
                          !problem.empty())
                        return refuse(run, element.shown + ' ' + problem + ".");
                      const auto done = [then, text = element.shown + " with " + quoted(values)] {
                        then(text);
                      };
                      if (answer.value.contains("boxes"))
                        return check_boxes(
                            run, element.world,
                            answer.value.value("boxes", std::vector<std::uint64_t>{}), 0, done);
                      if (!answer.value.value("custom", false))
                        return done();
                      if (answer.value.value("open", false))
                        return pick_options(run, values, 0, done);
                      open_list(run, element,
                                [this, run, values, done] { pick_options(run, values, 0, done); });
                    });
      });
}

/// A list of the page's own making opens when it is clicked.
void browser_core::open_list(const action_run_ptr& run, const found_element& element,
                             std::function<void()> then) {
  with_element(run, same_element(element), to_press(),
               [this, run, then = std::move(then)](const ready_element& ready) {
                 press_mouse(run, ready, click_kind::single, then);
               });
}

/// One option after the other, each as a person picks it.
void browser_core::pick_options(const action_run_ptr& run, const std::vector<std::string>& values,
                                std::size_t index, std::function<void()> then) {
  if (index == values.size())
    return then();
  element_choice option;
  option.role = "option";
  option.name = values[index];
  with_element(run, option, to_press(),
               [this, run, values, index, then = std::move(then)](const ready_element& ready) {
                 press_mouse(run, ready, click_kind::single, [this, run, values, index, then] {
                   pick_options(run, values, index + 1, then);
                 });
               });
}

/// A click, unless it is as it shall be; afterwards it has to be so.
void browser_core::check(const action_run_ptr& run, const element_choice& choice, bool wanted,
                         std::function<void(const std::string& shown)> then) {
  with_element(run, choice, json::object(),
               [this, run, wanted, then = std::move(then)](const ready_element& ready) {
                 const auto element = ready.element;
                 const auto done = std::string{wanted ? "checked " : "unchecked "} + element.shown;
                 worlds_.ask(element.world, "is_checked", json::array({element.number}),
                             [this, run, wanted, element, then, done](const hands_answer& answer) {
                               if (run->over)
                                 return;
                               if (const auto problem =
                                       answer.value.value("problem", answer.problem);
                                   !problem.empty())
                                 return refuse(run, element.shown + ' ' + problem + ".");
                               if (answer.value.value("checked", false) == wanted)
                                 return then(done + " already");
                               make_ready(run, element, to_press(),
                                          [this, run, then, done](const ready_element& at) {
                                            press_mouse(run, at, click_kind::single,
                                                        [then, done] { then(done); });
                                          });
                             });
               });
}

/// One box of a group after the other.
void browser_core::check_boxes(const action_run_ptr& run, const page_world& world,
                               const std::vector<std::uint64_t>& boxes, std::size_t index,
                               std::function<void()> then) {
  if (index == boxes.size())
    return then();
  element_choice box;
  box.handle = handle_text(world.number, boxes[index]);
  check(run, box, true, [this, run, world, boxes, index, then = std::move(then)](const auto&) {
    check_boxes(run, world, boxes, index + 1, then);
  });
}

} // namespace gasoline

#include "actors/browser/browser_core.hpp"

#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

const json& editable() {
  static const json wants{{"editable", true}, {"enabled", true}};
  return wants;
}

/// What a field is given, as a text.
std::string value_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

} // namespace

void browser_core::type(const action_run_ptr& run) {
  const auto text = run->asked->value.value_or("");
  if (run->asked->element.empty()) {
    run->did = "typed";
    return look_first(run, [this, run, text] {
      do_input(run, typing_events(text), [this, run] { settle(run); });
    });
  }
  with_element(run, run->asked->element, editable(), [this, run, text](const ready_element& ready) {
    run->did = "typed into " + ready.element.shown;
    worlds_.ask(ready.element.world, "focus_for", json::array({ready.element.number}),
                [this, run, text](const hands_answer&) {
                  if (!run->over)
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
  fill_one(run, run->asked->element, run->asked->value.value_or(""),
           [this, run](const std::string& shown) {
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
  element_choice choice;
  choice.label = field.key();
  const auto next = [this, run, index](const std::string& shown) {
    run->did += (run->did.empty() ? "filled " : ", ") + shown;
    fill_fields(run, index + 1);
  };
  if (field->is_boolean())
    return check(run, choice, field->get<bool>(), next);
  fill_one(run, choice, value_text(*field), next);
}

void browser_core::fill_one(const action_run_ptr& run, const element_choice& choice,
                            const std::string& value,
                            std::function<void(const std::string& shown)> then) {
  with_element(run, choice, editable(), [this, run, value, then](const ready_element& ready) {
    const auto& element = ready.element;
    if (element.role == "combobox" || element.role == "listbox") {
      element_choice same;
      same.handle = handle_text(element.world.number, element.number);
      return select(run, same, {value}, then);
    }
    worlds_.ask(element.world, "focus_for", json::array({element.number, value}),
                [this, run, value, then, shown = element.shown](const hands_answer& answer) {
                  if (run->over)
                    return;
                  if (const auto problem = answer.value.value("problem", answer.problem);
                      !problem.empty())
                    return refuse(run, shown + ' ' + problem + ".");
                  if (answer.value.value("done", false))
                    return then(shown);
                  std::vector<input_command> input;
                  if (value.empty())
                    input = *key_events("Delete");
                  else
                    input.push_back({"Input.insertText", {{"text", value}}});
                  do_input(run, input, [then, shown] { then(shown); });
                });
  });
}

void browser_core::select(const action_run_ptr& run, const element_choice& choice,
                          const std::vector<std::string>& values,
                          std::function<void(const std::string& shown)> then) {
  with_element(
      run, choice, {{"enabled", true}},
      [this, run, values, then = std::move(then)](const ready_element& ready) {
        run->acted = true;
        worlds_.ask(
            ready.element.world, "choose", json::array({ready.element.number, values}),
            [this, run, values, then, shown = ready.element.shown](const hands_answer& answer) {
              if (run->over)
                return;
              if (const auto problem = answer.value.value("problem", answer.problem);
                  !problem.empty())
                return refuse(run, shown + ' ' + problem + ".");
              then(shown + " with " + page_quote(values.front()));
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
                 worlds_.ask(
                     element.world, "is_checked", json::array({element.number}),
                     [this, run, wanted, element, then, done](const hands_answer& answer) {
                       if (run->over)
                         return;
                       if (const auto problem = answer.value.value("problem", answer.problem);
                           !problem.empty())
                         return refuse(run, element.shown + ' ' + problem + ".");
                       if (answer.value.value("checked", false) == wanted)
                         return then(done + " already");
                       make_ready(run, element, {{"enabled", true}, {"point", true}},
                                  [this, run, then, done](const ready_element& at) {
                                    do_input(run, click_events(at.x, at.y, click_kind::single),
                                             [then, done] { then(done); });
                                  });
                     });
               });
}

} // namespace gasoline

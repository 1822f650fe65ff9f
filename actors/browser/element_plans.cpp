#include "actors/browser/browser_core.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

/// Why a person could not act on it now.
std::string obstacle_text(const std::string& shown, const json& verdict) {
  const auto problem = verdict.value("problem", "");
  if (problem == "covered")
    return shown + " is covered by " + verdict.value("by", "something") +
           "; a person could not reach it, so nothing was done.";
  if (problem == "gone")
    return shown + " is gone.";
  if (problem == "hidden")
    return shown + " is there, but not visible.";
  if (problem == "moving")
    return shown + " keeps moving; wait until it is still.";
  if (problem == "outside of the page")
    return shown + " cannot be scrolled into view.";
  return shown + " is " + problem + ".";
}

} // namespace

/// The worlds of all frames of the page, of which there is at least one, while the action goes on.
void browser_core::with_worlds(const action_run_ptr& run, worlds_then then) {
  worlds_.each(run->page, [this, run, then = std::move(then)](const std::vector<page_world>& all) {
    if (run->over)
      return;
    if (all.empty())
      return refuse(run, hanging_page);
    then(all);
  });
}

/// Finds the one element that is meant, and waits until a person could act on it.
void browser_core::with_element(const action_run_ptr& run, const element_choice& choice,
                                const json& wants, ready_then then) {
  const auto patience = run->asked->timeout.value_or(milliseconds{parts_.limit.browser.action_ms});
  const auto is_busy = [this, run] { return run->page->loading || has_open_requests(run->page); };
  search_.one(run->page, choice, patience, is_busy,
              [this, run, wants, then = std::move(then)](const result_or<found_element>& found) {
                if (run->over)
                  return;
                if (!found)
                  return refuse(run, found.error().message);
                make_ready(run, *found, wants, then);
              });
}

void browser_core::make_ready(const action_run_ptr& run, const found_element& found,
                              const json& wants, ready_then then) {
  const auto patience = run->asked->timeout.value_or(milliseconds{parts_.limit.browser.action_ms});
  // What an action of several steps changes is what it has changed since the first.
  auto all_wants = wants;
  all_wants["again"] = run->world != 0;
  worlds_.ask(
      found.world, "ready", json::array({found.number, all_wants, patience.count()}),
      [this, run, found, wants, then = std::move(then)](const hands_answer& answer) {
        if (run->over)
          return;
        if (!answer.problem.empty())
          return refuse(run, found.shown + ": " + answer.problem + ".");
        ready_element ready{found, 0, 0};
        ready.element.shown = answer.value.value("shown", found.shown);
        if (answer.value.contains("problem"))
          return refuse(run, obstacle_text(ready.element.shown, answer.value));
        if (run->world == 0)
          run->world = found.world.number;
        if (!wants.value("point", false))
          return then(ready);
        ready.x = answer.value.value("x", 0.0);
        ready.y = answer.value.value("y", 0.0);
        place(run, ready, then);
      },
      patience);
}

/// From a frame's own coordinates to the page's. What lies over the frame lies over the element.
void browser_core::place(const action_run_ptr& run, const ready_element& ready, ready_then then) {
  const auto frame = ready.element.world.frame;
  worlds_.offset(frame, [this, run, ready, frame, then = std::move(then)](double x, double y) {
    if (run->over)
      return;
    auto placed = ready;
    placed.x += x;
    placed.y += y;
    const auto* top = worlds_.worlds().of_frame(run->page->session, run->page->main_frame);
    if (top == nullptr || (frame.session == run->page->session && frame.parent.empty()))
      return then(placed);
    worlds_.ask(
        *top, "frame_cover", json::array({placed.x, placed.y}),
        [this, run, placed, then](const hands_answer& answer) {
          if (run->over)
            return;
          if (answer.value.is_string() && !answer.value.get_ref<const std::string&>().empty())
            return refuse(run, obstacle_text(placed.element.shown,
                                             {{"problem", "covered"}, {"by", answer.value}}));
          then(placed);
        });
  });
}

/// Sends input as a person makes it. `then` comes when the page has taken all of it, and never when
/// a dialog holds it up: that is seen by itself.
void browser_core::do_input(const action_run_ptr& run, const std::vector<input_command>& commands,
                            const std::function<void()>& then) {
  run->acted = true;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const bool is_last = i + 1 == commands.size();
    port_.call(run->page->session, commands[i].method, commands[i].parameters,
               [run, is_last, then](const cdp_outcome&) {
                 if (is_last && !run->over && !run->settle)
                   then();
               });
  }
}

/// Sees what the page shows before something is done to no element of it.
void browser_core::look_first(const action_run_ptr& run, std::function<void()> then) {
  worlds_.each(run->page, [this, run, then = std::move(then)](const std::vector<page_world>& all) {
    if (run->over)
      return;
    if (all.empty())
      return then();
    run->world = all.front().number;
    worlds_.ask(all.front(), "look", json::array(), [run, then](const hands_answer&) {
      if (!run->over)
        then();
    });
  });
}

void browser_core::click(const action_run_ptr& run) {
  with_element(run, run->asked->element, {{"enabled", true}, {"point", true}},
               [this, run](const ready_element& ready) {
                 run->did = "clicked " + ready.element.shown;
                 do_input(run, click_events(ready.x, ready.y, run->asked->click),
                          [this, run] { settle(run); });
               });
}

void browser_core::hover(const action_run_ptr& run) {
  with_element(run, run->asked->element, {{"point", true}},
               [this, run](const ready_element& ready) {
                 run->did = "mouse is over " + ready.element.shown;
                 do_input(run, {move_event(ready.x, ready.y)}, [this, run] { settle(run); });
               });
}

} // namespace gasoline

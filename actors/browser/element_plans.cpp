#include "actors/browser/browser_core.hpp"

#include <algorithm>
#include <chrono>
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
  if (problem == "cut off")
    return shown + " cannot be reached: " + verdict.value("by", "what it is in") +
           ", which it is in, cuts it off or takes its place; nothing was done.";
  if (problem == "deaf")
    return shown + " takes no clicks: its style says pointer-events: none.";
  if (problem == "inert")
    return shown + " is inert: its page lets nobody use that part now.";
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

constexpr milliseconds try_again{100};

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
  const auto patience = patience_of(run);
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
  try_ready(run, found, wants, {0, port_.self()->clock().now() + patience_of(run)},
            std::move(then));
}

milliseconds browser_core::patience_of(const action_run_ptr& run) const {
  return run->asked->timeout.value_or(milliseconds{parts_.limit.browser.action_ms});
}

void browser_core::try_ready(const action_run_ptr& run, const found_element& found,
                             const json& wants, readiness_try attempt, ready_then then) {
  const auto left = std::chrono::duration_cast<milliseconds>(
      std::max(attempt.end - port_.self()->clock().now(), mono_time::duration::zero()));
  // What an action of several steps changes is what it has changed since the first.
  auto all_wants = wants;
  all_wants["again"] = run->world != 0;
  all_wants["round"] = attempt.round;
  worlds_.ask(
      found.world, "ready", json::array({found.number, all_wants, left.count()}),
      [this, run, found, wants, attempt, then = std::move(then)](const hands_answer& answer) {
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
        // What lies over the frame may go, and another way of scrolling may help.
        const auto covered = [this, run, found, wants, attempt, then,
                              shown = ready.element.shown](const std::string& cover) {
          if (port_.self()->clock().now() >= attempt.end)
            return refuse(run, obstacle_text(shown, {{"problem", "covered"}, {"by", cover}}));
          port_.timers().start(port_.self(), try_again, [this, run, found, wants, attempt, then] {
            if (!run->over)
              try_ready(run, found, wants, {attempt.round + 1, attempt.end}, then);
          });
        };
        place(run, ready, then, covered);
      },
      left);
}

/// From a frame's own coordinates to the page's. What lies over the frame lies over the element.
void browser_core::place(const action_run_ptr& run, const ready_element& ready, ready_then then,
                         covered_then covered) {
  place_from(run, ready, ready.element.world.frame, std::move(then), std::move(covered));
}

void browser_core::place_from(const action_run_ptr& run, const ready_element& ready,
                              const page_frame& frame, ready_then then, covered_then covered) {
  if (worlds_.is_page(frame))
    return then(ready);
  worlds_.step_out(frame, {ready.x, ready.y},
                   [this, run, ready, then = std::move(then),
                    covered = std::move(covered)](const page_frame& outer, page_worlds::point at) {
                     if (run->over)
                       return;
                     auto placed = ready;
                     placed.x = at.x;
                     placed.y = at.y;
                     const auto* world = worlds_.worlds().first_of(outer.session);
                     if (world == nullptr)
                       return place_from(run, placed, outer, then, covered);
                     worlds_.ask(
                         *world, "frame_cover", json::array({at.x, at.y}),
                         [this, run, placed, outer, then, covered](const hands_answer& answer) {
                           if (run->over)
                             return;
                           if (answer.value.is_string() && !answer.value.get<std::string>().empty())
                             return covered(answer.value.get<std::string>());
                           place_from(run, placed, outer, then, covered);
                         });
                   });
}

const json& browser_core::to_press() {
  static const json wants{{"enabled", true}, {"point", true}, {"press", true}};
  return wants;
}

/// Clicks there. Where the page has moved the element away as the mouse came, the click hits
/// nothing, and it is tried again.
void browser_core::press_mouse(const action_run_ptr& run, const ready_element& at, click_kind kind,
                               std::function<void()> then) {
  do_input(run, click_events(at.x, at.y, kind), [this, run, at, kind, then = std::move(then)] {
    worlds_.ask(at.element.world, "aimed", json::array(),
                [this, run, at, kind, then](const hands_answer& answer) {
                  if (run->over || run->settle)
                    return;
                  if (!answer.value.is_object() || !answer.value.value("missed", false))
                    return then();
                  if (port_.self()->clock().now() >= run->begun + patience_of(run))
                    return refuse(run,
                                  at.element.shown +
                                      " moves away when the mouse comes; nothing was clicked.");
                  make_ready(run, at.element, to_press(),
                             [this, run, kind, then](const ready_element& now) {
                               press_mouse(run, now, kind, then);
                             });
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
  with_element(run, run->asked->element, to_press(), [this, run](const ready_element& ready) {
    run->did = "clicked " + ready.element.shown;
    press_mouse(run, ready, run->asked->click, [this, run] { settle(run); });
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

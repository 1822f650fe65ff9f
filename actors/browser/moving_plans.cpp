#include "actors/browser/browser_core.hpp"

#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds look_for_carried{20};
constexpr std::chrono::seconds carried_patience{1};

/// Where a drag ends, as `to` says it: a handle, else a text.
element_choice choice_of(const std::string& to) {
  element_choice out;
  if (parse_handle(to))
    out.handle = to;
  else
    out.text = to;
  return out;
}

} // namespace

void browser_core::scroll(const action_run_ptr& run) {
  const auto scroll_there = [this, run](const page_world& world, std::uint64_t element,
                                        const std::string& what) {
    run->world = world.number;
    worlds_.ask(world, "scroll", json::array({element, run->asked->to}),
                [this, run, what](const hands_answer& answer) {
                  if (run->over)
                    return;
                  if (const auto problem = answer.value.value("problem", answer.problem);
                      !problem.empty())
                    return refuse(run, what + " is " + problem + ".");
                  run->did = run->asked->to.empty() ? "scrolled to " + what : "scrolled " + what;
                  if (!answer.value.value("moved", false))
                    run->did += ", which did not move";
                  run->did += ", at " + std::to_string(answer.value.value("at", 0)) + " of " +
                              std::to_string(answer.value.value("of", 0));
                  settle(run);
                });
  };
  if (!run->asked->element.empty())
    return with_element(
        run, run->asked->element, json::object(), [scroll_there](const ready_element& ready) {
          scroll_there(ready.element.world, ready.element.number, ready.element.shown);
        });
  with_worlds(run, [run, scroll_there](const std::vector<page_world>& all) {
    scroll_there(all.front(), 0, "the page");
  });
}

/// From one element to another, both to be seen at once. Where the page drags by itself, moves of
/// the mouse are all that it needs; where the browser drags, what it carries is carried on.
void browser_core::drag(const action_run_ptr& run) {
  const json wants{{"point", true}};
  with_element(
      run, choice_of(run->asked->to), wants, [this, run, wants](const ready_element& target) {
        with_element(
            run, run->asked->element, wants, [this, run, target](const ready_element& source) {
              worlds_.ask(target.element.world, "point_of", json::array({target.element.number}),
                          [this, run, source, target](const hands_answer& answer) {
                            if (run->over)
                              return;
                            const auto unseen = [this, run, source, target](const auto&...) {
                              refuse(run, source.element.shown + " and " + target.element.shown +
                                              " cannot be seen at once; a larger "
                                              "viewport may help: emulate.");
                            };
                            if (answer.value.contains("problem"))
                              return unseen();
                            auto end = target;
                            end.x = answer.value.value("x", 0.0);
                            end.y = answer.value.value("y", 0.0);
                            const auto drag_to = [this, run, source](const ready_element& to) {
                              drag_between(run, source, to);
                            };
                            place(run, end, drag_to, unseen);
                          });
            });
      });
}

void browser_core::drag_between(const action_run_ptr& run, const ready_element& from,
                                const ready_element& to) {
  run->did = "dragged " + from.element.shown + " to " + to.element.shown;
  run->page->dragged = nullptr;
  port_.tell(run->page->session, "Input.setInterceptDrags", {{"enabled", true}});
  worlds_.ask(from.element.world, "watch_drag", json::array(),
              [this, run, from, to](const hands_answer&) {
                if (run->over)
                  return;
                do_input(run, drag_begin_events(from.x, from.y, to.x, to.y), [this, run, from, to] {
                  worlds_.ask(from.element.world, "is_dragging", json::array(),
                              [this, run, to](const hands_answer& answer) {
                                end_drag(run, to, answer.value.value("drags", false));
                              });
                });
              });
}

/// What the browser carries comes a little later than the event by which the drag began.
void browser_core::end_drag(const action_run_ptr& run, const ready_element& to, bool is_carried) {
  if (run->over)
    return;
  const auto end = port_.self()->clock().now() + carried_patience;
  const auto look = [this, run, to, is_carried, end](const auto& again) -> void {
    if (run->over)
      return;
    const bool waits = is_carried && run->page->dragged.is_null();
    if (waits && port_.self()->clock().now() < end) {
      port_.timers().start(port_.self(), look_for_carried, [again] { again(again); });
      return;
    }
    auto carried = std::exchange(run->page->dragged, nullptr);
    do_input(run,
             carried.is_null() ? drag_end_events(to.x, to.y) : drop_events(to.x, to.y, carried),
             [this, run] {
               port_.tell(run->page->session, "Input.setInterceptDrags", {{"enabled", false}});
               settle(run);
             });
  };
  look(look);
}

} // namespace gasoline

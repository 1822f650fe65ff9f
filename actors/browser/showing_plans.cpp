#include "actors/browser/browser_core.hpp"

#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::chrono::seconds highlight_time{5};

json colour(int red, int green, int blue, double opacity) {
  return {{"r", red}, {"g", green}, {"b", blue}, {"a", opacity}};
}

/// How a highlighted element looks: as in the browser's own tools.
json highlight_looks() {
  return {{"showInfo", true},
          {"contentColor", colour(111, 168, 220, 0.5)},
          {"paddingColor", colour(147, 196, 125, 0.5)},
          {"borderColor", colour(255, 140, 0, 0.8)},
          {"marginColor", colour(246, 178, 107, 0.5)}};
}

} // namespace

/// Shows the user which element is meant, in the browser's window; the page itself is not changed.
void browser_core::highlight(const action_run_ptr& run) {
  with_element(
      run, run->asked->element, {{"point", true}}, [this, run](const ready_element& ready) {
        const auto element = ready.element;
        const auto session = element.world.frame.session;
        worlds_.object(
            element.world, element.number,
            [this, run, session, shown = element.shown](const std::string& object) {
              if (run->over)
                return;
              port_.tell(session, "DOM.enable");
              port_.tell(session, "Overlay.enable");
              port_.call(session, "Overlay.highlightNode",
                         {{"objectId", object}, {"highlightConfig", highlight_looks()}},
                         [this, run, session, shown](const cdp_outcome& outcome) {
                           if (run->over)
                             return;
                           if (!outcome.ok)
                             return refuse(run,
                                           shown + " cannot be shown: " + outcome.problem + ".");
                           const auto time = run->asked->timeout.value_or(highlight_time);
                           port_.timers().start(port_.self(), time, [this, session] {
                             port_.tell(session, "Overlay.disable");
                             port_.tell(session, "DOM.disable");
                           });
                           tell(run, "showing " + shown + " for " +
                                         std::to_string(time.count() / 1000) + " s");
                         });
            });
      });
}

} // namespace gasoline

#include "actors/browser/browser_core.hpp"
#include "messages/base/letters.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds wait_interval{100};
constexpr std::size_t reserve_bytes =
    512; // of an answer, for what stands around a text of the page

// What a model takes of an image without making it smaller by itself.
constexpr double most_side = 1'568;
constexpr double most_area = 1'150'000;
constexpr double most_page_side = 16'000; // browsers repeat or cut what is larger

/// Reads an object as JSON; one that has none, such as a circle, as its words.
constexpr const char* object_text =
    "function () { if (this instanceof Node) return this.outerHTML ?? this.nodeName;"
    " try { return JSON.stringify(this) ?? String(this) } catch { return String(this) } }";

constexpr std::string_view returns_outside = "SyntaxError: Illegal return statement";

/// Without what may stand around a script.
std::string_view bare_script(std::string_view script) {
  return ascii::trimmed(script, " \t\r\n;");
}

/// Whether that stands before the arrow of a function: a name, or parentheses around all of it.
bool are_parameters(std::string_view text) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
  };
  if (!text.starts_with('('))
    return !text.empty() && std::all_of(text.begin(), text.end(), is_word);
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0)
      return i + 1 == text.size();
  }
  return false;
}

/// Whether a script is a function and nothing else, as other tools want it: it is called.
bool is_function_text(std::string_view script) {
  auto text = bare_script(script);
  if (text.starts_with("async ") || text.starts_with("async("))
    text = bare_script(text.substr(std::string_view{"async"}.size()));
  if (text.starts_with("function"))
    return text.ends_with('}');
  const auto arrow = text.find("=>");
  return arrow != std::string_view::npos && are_parameters(bare_script(text.substr(0, arrow)));
}

std::string cut_text(std::string_view text, std::size_t bytes) {
  const auto shown = utf8_beginning(text, bytes);
  std::string out{shown};
  if (shown.size() < text.size())
    out += "… (" + std::to_string(text.size()) + " bytes in all)";
  return out;
}

/// The factor that makes an image of that size one that models take.
double scale_of(double width, double height) {
  const double by_side = most_side / std::max({width, height, 1.0});
  const double by_area = std::sqrt(most_area / std::max(width * height, 1.0));
  return std::min({1.0, by_side, by_area});
}

} // namespace

void browser_core::wait_for(const action_run_ptr& run) {
  const auto& asked = *run->asked;
  if (asked.rest)
    return wait_out(run, *asked.rest);
  if (asked.element.empty() && asked.url.empty()) {
    run->did = "the page is quiet";
    return settle(run);
  }
  const auto end =
      run->begun + asked.timeout.value_or(milliseconds{parts_.limit.browser.action_ms});
  const auto look = [this, run, end](const auto& again) -> void {
    if (run->over)
      return;
    const auto decide = [this, run, end, again](bool is_there) {
      if (run->over)
        return;
      if (is_there != run->asked->gone) {
        run->did = run->asked->gone ? "it is gone" : "it is there";
        return settle(run);
      }
      if (port_.self()->clock().now() >= end)
        return refuse(run, (run->asked->element.empty()
                                ? "The address never held " + page_quote(run->asked->url)
                                : choice_words(run->asked->element) +
                                      (run->asked->gone ? " is still there" : " never came")) +
                               "; the page is " + run->page->url + ".");
      port_.timers().start(port_.self(), wait_interval, [again] { again(again); });
    };
    if (run->asked->element.empty())
      return decide(run->page->url.find(run->asked->url) != std::string::npos);
    search_.is_there(run->page, run->asked->element, decide);
  };
  look(look);
}

/// Lets that time pass; a dialog that opens meanwhile is told at once.
void browser_core::wait_out(const action_run_ptr& run, std::chrono::seconds rest) {
  look_first(run, [this, run, rest] {
    run->acted = true;
    port_.timers().start(port_.self(), rest, [this, run, rest] {
      if (run->over || run->settle)
        return;
      run->did = "waited " + std::to_string(rest.count()) + " s";
      settle(run);
    });
  });
}

void browser_core::read(const action_run_ptr& run) {
  const auto most = parts_.limit.result.bytes - reserve_bytes;
  if (run->asked->element.empty())
    return with_worlds(run, [this, run, most](const std::vector<page_world>& all) {
      read_in(run, all.front(), 0, most);
    });
  with_element(run, run->asked->element, json::object(),
               [this, run, most](const ready_element& ready) {
                 read_in(run, ready.element.world, ready.element.number, most);
               });
}

void browser_core::read_in(const action_run_ptr& run, const page_world& world,
                           std::uint64_t element, std::size_t most) {
  worlds_.ask(world, "read", json::array({element, most}),
              [this, run, most](const hands_answer& answer) {
                if (run->over)
                  return;
                if (!answer.problem.empty())
                  return refuse(run, "The page cannot be read: " + answer.problem + ".");
                const auto text = answer.value.value("text", "");
                tell(run, text.empty() ? "there is no text" : cut_text(text, most));
              });
}

/// The caller's own script, in the page's own world, once. What it made is written where it is
/// small enough.
void browser_core::evaluate(const action_run_ptr& run) {
  run->acted = true;
  run->did = "evaluated";
  run_script(run, is_function_text(run->asked->expression)
                      ? '(' + std::string{bare_script(run->asked->expression)} + "\n)()"
                      : run->asked->expression);
}

void browser_core::run_script(const action_run_ptr& run, const std::string& script) {
  const auto patience = patience_of(run);
  port_.call(
      run->page->session, "Runtime.evaluate",
      {{"expression", script},
       {"objectGroup", "interact"},
       {"replMode", true},
       {"awaitPromise", true},
       {"userGesture", true},
       {"timeout", patience.count()}},
      [this, run, patience](const cdp_outcome& outcome) {
        const bool is_promise =
            outcome.ok && text_at(outcome.result, "/result/subtype") == "promise";
        if (!is_promise || run->over || run->settle)
          return evaluated(run, outcome);
        port_.call(
            run->page->session, "Runtime.awaitPromise",
            {{"promiseObjectId", text_at(outcome.result, "/result/objectId")}},
            [this, run](const cdp_outcome& kept) { evaluated(run, kept); }, patience);
      },
      patience + milliseconds{parts_.limit.browser.settle_ms});
}

void browser_core::evaluated(const action_run_ptr& run, const cdp_outcome& outcome) {
  if (run->over || run->settle)
    return;
  if (!outcome.ok)
    return refuse(run, "The script did not end: " + outcome.problem +
                           ". navigate, also with reload, ends scripts that hang.");
  const auto thrown = value_at(outcome.result, "/exceptionDetails");
  // What would be right within a function runs within one, once: nothing of it has run yet.
  const bool is_body = thrown && text_at(*thrown, "/exception/description") == returns_outside;
  if (is_body && !run->did.empty()) {
    run->did.clear();
    return run_script(run, "(async () => {" + run->asked->expression + "\n})()");
  }
  if (thrown)
    return refuse(run,
                  "The script threw " + cut_text(text_at(*thrown, "/exception/description").empty()
                                                     ? text_at(*thrown, "/text")
                                                     : text_at(*thrown, "/exception/description"),
                                                 parts_.limit.result.bytes / 4));
  show_value(run, outcome.result);
}

void browser_core::show_value(const action_run_ptr& run, const simdjson::dom::element& result) {
  const auto most = parts_.limit.result.bytes - reserve_bytes;
  const std::string object{text_at(result, "/result/objectId")};
  if (object.empty()) {
    const auto value = value_at(result, "/result/value");
    const auto words = text_at(result, "/result/description");
    run->did = value && !value->is_string() && words.empty() ? simdjson::to_string(*value)
               : value && value->is_string() ? cut_text(text_at(result, "/result/value"), most)
               : !words.empty()              ? std::string{words}
                                             : std::string{text_at(result, "/result/type")};
    return settle(run);
  }
  port_.call(
      run->page->session, "Runtime.callFunctionOn",
      {{"objectId", object}, {"functionDeclaration", object_text}, {"returnByValue", true}},
      [this, run, most](const cdp_outcome& outcome) {
        if (run->over || run->settle)
          return;
        run->did = outcome.ok ? cut_text(text_at(outcome.result, "/result/value"), most)
                              : "an object that cannot be written";
        port_.tell(run->page->session, "Runtime.releaseObjectGroup", {{"objectGroup", "interact"}});
        settle(run);
      });
}

void browser_core::screenshot(const action_run_ptr& run) {
  if (!run->asked->element.empty())
    return with_element(
        run, run->asked->element, {{"point", true}}, [this, run](const ready_element& ready) {
          const auto frame = ready.element.world.frame;
          worlds_.ask(ready.element.world, "box", json::array({ready.element.number}),
                      [this, run, frame](const hands_answer& answer) {
                        if (!run->over)
                          frame_shot(run, frame, answer.value);
                      });
        });
  port_.call(
      run->page->session, "Page.getLayoutMetrics", json::object(),
      [this, run](const cdp_outcome& outcome) {
        if (run->over)
          return;
        if (!outcome.ok)
          return refuse(run, hanging_page);
        const bool whole = run->asked->whole;
        const auto place = whole ? "/cssContentSize" : "/cssVisualViewport";
        const auto size = *value_at(outcome.result, place);
        const double width =
            std::min(number_at(size, whole ? "/width" : "/clientWidth"), most_page_side);
        const double height =
            std::min(number_at(size, whole ? "/height" : "/clientHeight"), most_page_side);
        const double left = whole ? 0 : number_at(size, "/pageX");
        const double top = whole ? 0 : number_at(size, "/pageY");
        shoot(run, left, top, width, height);
      },
      milliseconds{parts_.limit.browser.action_ms});
}

/// An element's box, from its frame's coordinates to the page's.
void browser_core::frame_shot(const action_run_ptr& run, const page_frame& frame, const json& box) {
  const double width = box.value("width", 1.0);
  const double height = box.value("height", 1.0);
  // Of the page itself the box counts from its beginning, of frames from what is shown of it.
  if (worlds_.is_page(frame))
    return shoot(run, box.value("page_x", 0.0), box.value("page_y", 0.0), width, height);
  const page_worlds::point corner{box.value("x", 0.0), box.value("y", 0.0)};
  worlds_.to_page(frame, corner, [this, run, frame, corner, width, height](page_worlds::point at) {
    if (run->over)
      return;
    worlds_.to_page(frame, {corner.x + width, corner.y + height},
                    [this, run, at](page_worlds::point end) {
                      if (!run->over)
                        shoot(run, std::min(at.x, end.x), std::min(at.y, end.y),
                              std::abs(end.x - at.x), std::abs(end.y - at.y));
                    });
  });
}

void browser_core::shoot(const action_run_ptr& run, double x, double y, double width,
                         double height) {
  const json clip{{"x", x},
                  {"y", y},
                  {"width", std::max(width, 1.0)},
                  {"height", std::max(height, 1.0)},
                  {"scale", scale_of(width, height)}};
  port_.call(
      run->page->session, "Page.captureScreenshot",
      {{"format", "jpeg"}, {"quality", 75}, {"clip", clip}, {"captureBeyondViewport", true}},
      [this, run, width, height](const cdp_outcome& outcome) {
        if (run->over)
          return;
        if (!outcome.ok)
          return refuse(run, "The page cannot be shown: " + outcome.problem + ".");
        action_report report;
        report.text = "screenshot of " + run->page->url + ", " +
                      std::to_string(std::llround(width)) + " x " +
                      std::to_string(std::llround(height));
        report.images.push_back({std::string{text_at(outcome.result, "/data")}, "image/jpeg"});
        finish(run, std::move(report));
      });
}

} // namespace gasoline

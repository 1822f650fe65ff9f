#include "actors/browser/browser_core.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds dialog_patience{1'000};
constexpr std::chrono::milliseconds look_for_dialog{20};
constexpr std::size_t items_found = 10;
constexpr std::size_t overview_bytes = 1'800; // with what stands around it 2 KB
constexpr char number_mark = '\x01';
constexpr std::size_t outline_reserve = 512; // of an answer, for what stands around the outline

/// The outline of one frame within its bytes, with handles in place of the numbers in it.
std::string outline_text(const json& outline, std::uint64_t world, std::size_t most_bytes,
                         std::vector<std::uint64_t>& numbers) {
  std::string out;
  auto left_out = outline.value("left_out", std::size_t{0});
  for (const auto& each : outline.value("lines", json::array())) {
    auto line = each.get<std::string>();
    std::uint64_t number = 0;
    if (const auto mark = line.find(number_mark); mark != std::string::npos) {
      const auto end = std::min(line.find(']', mark), line.size());
      number = std::strtoull(line.c_str() + mark + 1, nullptr, 10);
      line = line.substr(0, mark) + handle_text(world, number) + line.substr(end);
    }
    if (out.size() + line.size() + 1 > most_bytes) {
      ++left_out;
      continue;
    }
    if (number != 0)
      numbers.push_back(number);
    out += (out.empty() ? "" : "\n") + line;
  }
  if (left_out > 0)
    out += "\nand " + std::to_string(left_out) + " lines more; give a handle for one part, or find";
  return out;
}

void note_changes(action_run& run, const json& changes) {
  for (const auto& line : changes.value("added", json::array()))
    note_effect(run, "+ " + line.get<std::string>());
  if (const auto more = changes.value("more", 0U); more > 0)
    note_effect(run, "+ " + std::to_string(more) + (more == 1 ? " line more" : " lines more"));
  for (const auto& line : changes.value("removed", json::array()))
    note_effect(run, "- " + line.get<std::string>());
  for (const auto& line : changes.value("invalid", json::array()))
    note_effect(run, "invalid: " + line.get<std::string>());
}

} // namespace

/// Ends an action that changes nothing.
void browser_core::tell(const action_run_ptr& run, std::string text) {
  action_report report;
  report.text = std::move(text);
  finish(run, std::move(report));
}

void browser_core::find(const action_run_ptr& run) {
  search_.list(run->page, run->asked->element, items_found, [this, run](std::string lines) {
    if (!run->over)
      tell(run, std::move(lines));
  });
}

void browser_core::snapshot(const action_run_ptr& run) {
  const auto most = parts_.limit.result.bytes - outline_reserve;
  const auto parts = parse_handle(run->asked->element.handle);
  worlds_.each(run->page, [this, run, most, parts](std::vector<page_world> all) {
    if (run->over)
      return;
    if (parts)
      std::erase_if(all, [&](const page_world& world) { return world.number != parts->world; });
    if (all.empty())
      return refuse(run, parts ? run->asked->element.handle + " is gone; take a snapshot of all."
                               : hanging_page);
    struct outlines {
      std::vector<std::string> texts;
      std::size_t open = 0;
    };
    const auto shared = std::make_shared<outlines>();
    shared->texts.resize(all.size());
    shared->open = all.size();
    const auto share = most / all.size();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto world = all[i];
      worlds_.ask(world, "outline", json::array({parts ? parts->element : 0, share}),
                  [this, run, world, i, share, shared](const hands_answer& answer) {
                    std::vector<std::uint64_t> numbers;
                    auto& text = shared->texts[i];
                    text = outline_text(answer.value, world.number, share, numbers);
                    if (i > 0 && !text.empty())
                      text = "frame " + world.frame.url.substr(0, 120) + ":\n" + text;
                    worlds_.ask(world, "named", json::array({numbers}),
                                [this, run, world, shared](const hands_answer& named) {
                                  if (named.value.is_array())
                                    for (const auto& item : named.value)
                                      worlds_.worlds().remember(
                                          handle_text(world.number, item.value("n", 0U)),
                                          {item.value("role", ""), item.value("name", "")});
                                  if (--shared->open > 0 || run->over)
                                    return;
                                  std::string out;
                                  for (const auto& each : shared->texts)
                                    if (!each.empty())
                                      out += (out.empty() ? "" : "\n") + each;
                                  tell(run, out.empty() ? "the page shows nothing" : out);
                                });
                  });
    }
  });
}

void browser_core::overview(const action_run_ptr& run) {
  with_worlds(run, [this, run](const std::vector<page_world>& all) {
    worlds_.ask(all.front(), "overview", json::array(),
                [this, run, world = all.front().number](const hands_answer& answer) {
                  if (run->over)
                    return;
                  if (!answer.problem.empty())
                    return refuse(run, "The page cannot be seen: " + answer.problem + ".");
                  std::vector<std::uint64_t> numbers;
                  tell(run, run->page->handle + ' ' +
                                outline_text(answer.value, world, overview_bytes, numbers));
                });
  });
}

/// A dialog may come a moment after what brings it about: it is waited for.
void browser_core::answer_dialog(const action_run_ptr& run) {
  const auto patience = run->asked->timeout.value_or(dialog_patience);
  const auto look = [this, run, end = run->begun + patience](const auto& again) -> void {
    if (run->over)
      return;
    if (run->page->dialog)
      return answer_open_dialog(run);
    if (port_.self()->clock().now() >= end)
      return refuse(run, "No dialog is open in the page " + run->page->handle + ".");
    port_.timers().start(port_.self(), look_for_dialog, [again] { again(again); });
  };
  look(look);
}

void browser_core::answer_open_dialog(const action_run_ptr& run) {
  const bool accept = run->asked->accept.value_or(true);
  json parameters{{"accept", accept}};
  if (run->asked->value)
    parameters["promptText"] = *run->asked->value;
  run->did = (accept ? "accepted " : "dismissed ") + run->page->dialog->type;
  if (const auto& text = run->page->dialog->text; !text.empty())
    run->did += ' ' + page_quote(text);
  run->acted = true;
  port_.call(run->page->session, "Page.handleJavaScriptDialog", parameters,
             [this, run](const cdp_outcome& outcome) {
               if (run->over)
                 return;
               if (!outcome.ok)
                 return refuse(run, "The dialog was not answered: " + outcome.problem + ".");
               run->page->dialog.reset();
               settle(run);
             });
}

/// What the screen shows now that it did not before, where it is still the same document.
void browser_core::see_changes(const action_run_ptr& run, std::function<void()> then) {
  const auto* world = worlds_.worlds().numbered(run->world);
  if (world == nullptr || run->navigated || run->page->dialog || run->page->crashed)
    return then();
  worlds_.ask(*world, "changes", json::array(),
              [this, run, then = std::move(then)](const hands_answer& answer) {
                if (run->over)
                  return;
                if (answer.problem.empty())
                  note_changes(*run, answer.value);
                else if (worlds_.worlds().numbered(run->world) != nullptr)
                  note_effect(*run, "the page does not answer any more: its scripts hang");
                then();
              });
}

} // namespace gasoline

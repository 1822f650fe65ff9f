#include "actors/browser/actions/upload_files.hpp"
#include "actors/browser/browser_core.hpp"

#include <chrono>
#include <cmath>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

std::string count_text(std::size_t files) {
  return files == 1 ? "1 file" : std::to_string(files) + " files";
}

} // namespace

/// Into an input for files, or by a button that opens the browser's dialog for them. Any other
/// element would end the page's process.
void browser_core::upload(const action_run_ptr& run) {
  auto files = uploadable_files(run->asked->files, parts_.settings.upload_directories);
  if (!files)
    return refuse(run, files.error().message);
  with_element(
      run, run->asked->element, {{"unseen", true}, {"enabled", true}},
      [this, run, files = std::move(*files)](const ready_element& ready) {
        const auto element = ready.element;
        worlds_.ask(
            element.world, "takes_files", json::array({element.number}),
            [this, run, element, files](const hands_answer& answer) {
              if (run->over)
                return;
              run->did = "uploaded " + count_text(files.size()) + " by " + element.shown;
              run->acted = true;
              if (!answer.value.value("input", false))
                return upload_by_dialog(run, element, files);
              if (files.size() > 1 && !answer.value.value("many", false))
                return refuse(run, element.shown + " takes one file only.");
              worlds_.object(
                  element.world, element.number,
                  [this, run, element, files](const std::string& object) {
                    put_files(run, element.world.frame.session, {{"objectId", object}}, files);
                  });
            });
      });
}

void browser_core::put_files(const action_run_ptr& run, const std::string& session, json where,
                             const std::vector<std::string>& files) {
  if (run->over)
    return;
  where["files"] = files;
  port_.call(session, "DOM.setFileInputFiles", where, [this, run](const cdp_outcome& outcome) {
    if (run->over)
      return;
    if (!outcome.ok)
      return refuse(run, "The files were not taken: " + outcome.problem + ".");
    settle(run);
  });
}

/// Clicks, and answers the dialog for files that comes of it in the page's place.
void browser_core::upload_by_dialog(const action_run_ptr& run, const found_element& element,
                                    const std::vector<std::string>& files) {
  const auto session = element.world.frame.session;
  run->page->on_chooser = [this, run, session, files](std::int64_t node, bool takes_many) {
    port_.tell(session, "Page.setInterceptFileChooserDialog", {{"enabled", false}});
    if (files.size() > 1 && !takes_many)
      return refuse(run, "The page takes one file only.");
    put_files(run, session, {{"backendNodeId", node}}, files);
  };
  port_.tell(session, "Page.setInterceptFileChooserDialog", {{"enabled", true}});
  make_ready(run, element, to_press(), [this, run, session](const ready_element& at) {
    press_mouse(run, at, click_kind::single, [] {});
    const auto patience =
        run->asked->timeout.value_or(std::chrono::milliseconds{parts_.limit.browser.action_ms});
    port_.timers().start(port_.self(), patience, [this, run, session, at] {
      if (!run->page->on_chooser)
        return;
      run->page->on_chooser = nullptr;
      port_.tell(session, "Page.setInterceptFileChooserDialog", {{"enabled", false}});
      if (!run->over && !run->settle)
        refuse(run, at.element.shown + " was clicked and asks for no file.");
    });
  });
}

} // namespace gasoline

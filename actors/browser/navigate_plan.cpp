#include "actors/browser/actions/action_rights.hpp"
#include "actors/browser/browser_core.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

} // namespace

void browser_core::navigate(const action_run_ptr& run) {
  const auto& url = run->asked->url;
  if (url == "back")
    return go_through_history(run, -1);
  if (url == "forward")
    return go_through_history(run, 1);
  if (url == "reload") {
    run->page->loading = true;
    port_.call(run->page->session, "Page.reload", json::object(),
               [this, run](const cdp_outcome& outcome) {
                 if (!outcome.ok)
                   return refuse(run, "The page cannot be reloaded: " + outcome.problem + ".");
                 settle(run);
               });
    return;
  }
  auto address = meant_address(url);
  if (auto refusal = refusal_of(address, parts_.settings.origins))
    return refuse(run, std::move(*refusal));
  go_to(run, address);
}

void browser_core::go_to(const action_run_ptr& run, const std::string& url) {
  const auto patience =
      run->asked->timeout.value_or(std::chrono::milliseconds{parts_.limit.browser.navigation_ms});
  port_.call(
      run->page->session, "Page.navigate", {{"url", url}},
      [this, run, url](const cdp_outcome& outcome) {
        if (!outcome.ok)
          return refuse(run, url + " was not opened: " + outcome.problem + ".");
        const auto error = text_at(outcome.result, "/errorText");
        if (flag_at(outcome.result, "/isDownload"))
          note_effect(*run, url + " is a download");
        else if (!error.empty())
          return refuse(run, url + " cannot be opened: " + std::string{error} +
                                 (error == "net::ERR_CONNECTION_REFUSED"
                                      ? ". Nobody listens there; is the server running?"
                                      : "."));
        if (const auto document = text_at(outcome.result, "/loaderId"); !document.empty()) {
          run->navigated = true;
          run->page->document = document;
        }
        settle(run);
      },
      patience);
}

void browser_core::go_through_history(const action_run_ptr& run, int steps) {
  port_.call(run->page->session, "Page.getNavigationHistory", json::object(),
             [this, run, steps](const cdp_outcome& outcome) {
               const auto entries = outcome.ok ? list_at(outcome.result, "/entries") : std::nullopt;
               if (!entries)
                 return refuse(run, "The page does not tell its history: " + outcome.problem + ".");
               const auto at = std::llround(number_at(outcome.result, "/currentIndex")) + steps;
               const bool is_there = at >= 0 && at < static_cast<long long>(entries->size());
               const auto id =
                   is_there ? number_at(entries->at(static_cast<std::size_t>(at)), "/id") : 0.0;
               if (!is_there)
                 return refuse(run, steps < 0 ? "There is no page to go back to."
                                              : "There is no page to go forward to.");
               port_.call(run->page->session, "Page.navigateToHistoryEntry",
                          {{"entryId", std::llround(id)}}, [this, run](const cdp_outcome& done) {
                            if (!done.ok)
                              return refuse(run, "The page was not left: " + done.problem + ".");
                            settle(run);
                          });
             });
}

} // namespace gasoline

#include "actors/browser/actions/action_rights.hpp"
#include "actors/browser/browser_core.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

/// Scripts that let nothing else run for so long are taken to hang.
constexpr std::chrono::milliseconds hanging_time{1'500};

/// What to do when an address cannot be opened.
std::string_view advice_on(std::string_view error) {
  if (error == "net::ERR_CONNECTION_REFUSED")
    return " Nobody listens there; is the server running?";
  if (error == "net::ERR_INVALID_AUTH_CREDENTIALS")
    return " It asks for a name and a password by HTTP authentication: write NAME:PASSWORD@ before "
           "the host in its address.";
  if (error.starts_with("net::ERR_CERT_"))
    return " Its certificate is not trusted; a browser that is started with --browser-arg "
           "--ignore-certificate-errors takes it all the same.";
  return {};
}

} // namespace

void browser_core::navigate(const action_run_ptr& run) {
  run->acted = true; // the page may ask whether it is to be left
  const auto& url = run->asked->url;
  if (url == "back")
    return end_hanging_scripts(run, [this, run] { go_through_history(run, -1); });
  if (url == "forward")
    return end_hanging_scripts(run, [this, run] { go_through_history(run, 1); });
  if (url == "reload")
    return end_hanging_scripts(run, [this, run] { reload(run); });
  const auto address = meant_address(url, run->page->url);
  if (auto refusal = refusal_of(address, parts_.settings.origins))
    return refuse(run, std::move(*refusal));
  end_hanging_scripts(run, [this, run, address] { go_to(run, address); });
}

/// Scripts that never end would keep a page for ever: its next document gets to the same process,
/// where nothing reaches them any more. So it is seen first whether they let anything else run.
void browser_core::end_hanging_scripts(const action_run_ptr& run, std::function<void()> then) {
  const auto begun = port_.self()->clock().now();
  port_.call(
      run->page->session, "Runtime.evaluate", {{"expression", "0"}},
      [this, run, begun, then = std::move(then)](const cdp_outcome& outcome) {
        if (run->over || run->settle)
          return;
        const bool is_late = port_.self()->clock().now() - begun >= hanging_time;
        if (!outcome.ok && is_late) {
          port_.tell(run->page->session, "Runtime.terminateExecution");
          note_effect(*run, "its scripts hung, and were ended");
        }
        then();
      },
      hanging_time);
}

void browser_core::reload(const action_run_ptr& run) {
  run->page->loading = true;
  port_.call(run->page->session, "Page.reload", json::object(),
             [this, run](const cdp_outcome& outcome) {
               if (run->over || run->settle)
                 return;
               if (!outcome.ok)
                 return refuse(run, "The page cannot be reloaded: " + outcome.problem + ".");
               settle(run);
             });
}

void browser_core::go_to(const action_run_ptr& run, const std::string& url) {
  const auto patience =
      run->asked->timeout.value_or(std::chrono::milliseconds{parts_.limit.browser.navigation_ms});
  port_.call(
      run->page->session, "Page.navigate", {{"url", url}},
      [this, run, url](const cdp_outcome& outcome) {
        if (run->over || run->settle)
          return;
        if (!outcome.ok)
          return refuse(run, url + " was not opened: " + outcome.problem + ".");
        const auto error = text_at(outcome.result, "/errorText");
        if (flag_at(outcome.result, "/isDownload"))
          note_effect(*run, url + " is a download");
        else if (!error.empty())
          run->failure = url + " cannot be opened: " + std::string{error} + '.' +
                         std::string{advice_on(error)};
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
                            if (run->over || run->settle)
                              return;
                            if (!done.ok)
                              return refuse(run, "The page was not left: " + done.problem + ".");
                            settle(run);
                          });
             });
}

} // namespace gasoline

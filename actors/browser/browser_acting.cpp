#include "actors/browser/actions/action_rights.hpp"
#include "actors/browser/browser_core.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds look_interval{20};

/// A new page that does not answer is entered all the same.
constexpr milliseconds set_up_patience{2'000};

/// Whether there has to be a page for it already.
bool only_looks(browser_verb verb) {
  return verb == browser_verb::overview || verb == browser_verb::accessibility ||
         verb == browser_verb::measures || verb == browser_verb::snapshot ||
         verb == browser_verb::read || verb == browser_verb::find ||
         verb == browser_verb::screenshot;
}

/// What the page shows, from its history: the browser knows that also when the page's scripts hang.
void take_document(browser_page& page, const simdjson::dom::element& history) {
  const auto at = static_cast<std::uint64_t>(number_at(history, "/currentIndex"));
  const auto entry = value_at(history, "/entries/" + std::to_string(at));
  if (!entry)
    return;
  page.title = text_at(*entry, "/title");
  page.url = text_at(*entry, "/url");
}

} // namespace

caf::typed_response_promise<action_report_ptr> browser_core::act(browser_action_ptr asked) {
  auto run = std::make_shared<action_run>();
  run->asked = std::move(asked);
  run->begun = port_.self()->clock().now();
  run->promise = port_.self()->make_response_promise<action_report_ptr>();
  auto promise = run->promise;
  if (stage_ == stage::ready) {
    begin(run);
  } else if (waiting_.size() >= parts_.limit.browser.actions_queued) {
    refuse(run, "Too many actions wait for the browser; call again when it has started.");
  } else {
    waiting_.push_back(run);
    connect();
    if (is_attached())
      port_.timers().start(port_.self(), milliseconds{parts_.limit.browser.start_ms}, [this, run] {
        if (std::erase(waiting_, run) > 0)
          refuse(run, "The browser has not answered yet; if it asks there whether it may be "
                      "driven, allow it, then call again.");
      });
  }
  return promise;
}

void browser_core::begin(const action_run_ptr& run) {
  if (run->asked->verb == browser_verb::tabs)
    return change_tabs(run);
  find_page(run);
}

void browser_core::find_page(const action_run_ptr& run) {
  const auto& asked = *run->asked;
  if (asked.page.empty()) {
    if (const auto page = table_.current(asked.client))
      return enter(run, page);
    if (!only_looks(asked.verb))
      return open_page(run);
    if (const auto page = table_.newest_of_nobody())
      return enter(run, page);
    return refuse(run, "No page is open; interact {\"action\":\"navigate\",\"url\":…} opens one.");
  }
  const auto page = table_.by_handle(asked.page);
  if (!page || (page->owner != 0 && page->owner != asked.client))
    return refuse(run, "There is no page " + asked.page + " of yours" +
                           (page ? ": another client works in it" : "") +
                           "; leave page out for the one that you work in. Pages:\n" +
                           tab_lines(asked.client));
  enter(run, page);
}

/// A client's first page, or one more.
void browser_core::open_page(const action_run_ptr& run) {
  const auto client = run->asked->client;
  const auto known = contexts_.find(client);
  if (!run->asked->alone && known != contexts_.end())
    return open_page_in(run, known->second);
  if (!run->asked->alone && may_use_profile(client))
    return open_page_in(run, {});
  port_.call({}, "Target.createBrowserContext", {{"disposeOnDetach", true}},
             [this, run, client](const cdp_outcome& outcome) {
               if (stage_ == stage::none)
                 return refuse(run, loss_text(last_loss_));
               if (!outcome.ok)
                 return refuse(run, "No page can be opened by itself: " + outcome.problem + ".");
               const std::string context{text_at(outcome.result, "/browserContextId")};
               made_contexts_.insert(context);
               if (!run->asked->alone)
                 contexts_[client] = context;
               open_page_in(run, context);
             });
}

/// The first client that comes has the profile, while its page is still opening as well.
bool browser_core::may_use_profile(client_id client) {
  if (is_attached())
    return true;
  const bool is_free = in_profile_ == 0 || in_profile_ == client;
  if (!is_free || table_.others_work_in_profile(client))
    return false;
  in_profile_ = client;
  return true;
}

/// `context`: whose cookies and stores it has; empty: those of the profile.
void browser_core::open_page_in(const action_run_ptr& run, const std::string& context) {
  json parameters{{"url", "about:blank"}};
  if (!context.empty())
    parameters["browserContextId"] = context;
  port_.call({}, "Target.createTarget", parameters, [this, run](const cdp_outcome& outcome) {
    if (stage_ == stage::none)
      return refuse(run, loss_text(last_loss_));
    if (!outcome.ok)
      return refuse(run, "No page can be opened: " + outcome.problem + ".");
    const std::string target{text_at(outcome.result, "/targetId")};
    if (const auto page = table_.by_target(target))
      enter_new(run, page);
    else
      opening_[target] = run;
  });
}

/// What a page is set up with is put into it by its process, while an address is opened by the
/// browser: whoever navigated at once would be in a document that was not set up.
void browser_core::enter_new(const action_run_ptr& run, const page_ptr& page) {
  port_.call(
      page->session, "Runtime.evaluate", {{"expression", "0"}},
      [this, run, page](const cdp_outcome&) {
        if (stage_ == stage::none)
          return refuse(run, loss_text(last_loss_));
        enter(run, page);
      },
      set_up_patience);
}

/// Actions in one page follow each other.
void browser_core::enter(const action_run_ptr& run, const page_ptr& page) {
  run->page = page;
  if (is_attached() && page->owner == 0) // not in pages that nobody works in
    port_.tell(page->session, "Emulation.setFocusEmulationEnabled", {{"enabled", true}});
  table_.choose(run->asked->client, page);
  if (running_.count(page->target) == 0) {
    running_[page->target] = run;
    return perform(run);
  }
  auto& queue = queued_[page->target];
  if (queue.size() >= parts_.limit.browser.actions_queued)
    return refuse(run, "Too many actions wait for the page " + page->handle +
                           "; call again when they are done.");
  queue.push_back(run);
}

void browser_core::perform(const action_run_ptr& run) {
  run->begun = port_.self()->clock().now();
  const auto verb = run->asked->verb;
  if (verb == browser_verb::dialog)
    return answer_dialog(run);
  if (const auto& dialog = run->page->dialog)
    return refuse(
        run, (dialog->type == "alert" ? "An " : "A ") + dialog_words(*dialog) +
                 " is open; answer it first: interact {\"action\":\"dialog\",\"accept\":true}.");
  if (verb == browser_verb::tabs && run->asked->url.empty())
    return tell(run, "opened " + run->page->handle);
  if (verb == browser_verb::tabs)
    run->did = "opened " + run->page->handle;
  if (verb == browser_verb::navigate || verb == browser_verb::tabs)
    return navigate(run);
  if (auto refusal = refusal_of(run->page->url, parts_.settings.origins))
    return refuse(run, std::move(*refusal));
  perform_here(run);
}

/// What is done in the document that the page shows.
void browser_core::perform_here(const action_run_ptr& run) {
  const auto& asked = *run->asked;
  const auto settle_then = [this, run](const std::string& shown) {
    run->did = shown;
    settle(run);
  };
  switch (asked.verb) {
  case browser_verb::click:
    return click(run);
  case browser_verb::hover:
    return hover(run);
  case browser_verb::type:
    return type(run);
  case browser_verb::fill:
    return fill(run);
  case browser_verb::select:
    return select(run, asked.element, {asked.value.value_or("")}, settle_then);
  case browser_verb::check:
    return check(run, asked.element, asked.accept.value_or(true), settle_then);
  case browser_verb::press:
    return press(run);
  case browser_verb::find:
    return find(run);
  case browser_verb::snapshot:
    return snapshot(run);
  case browser_verb::read:
    return read(run);
  case browser_verb::wait_for:
    return wait_for(run);
  case browser_verb::screenshot:
    return screenshot(run);
  case browser_verb::evaluate:
    return evaluate(run);
  case browser_verb::accessibility:
    return check_accessibility(run);
  case browser_verb::measures:
    return tell_measures(run);
  case browser_verb::scroll:
    return scroll(run);
  case browser_verb::drag:
    return drag(run);
  case browser_verb::upload:
    return upload(run);
  case browser_verb::emulate:
    return emulate(run);
  case browser_verb::highlight:
    return highlight(run);
  case browser_verb::overview:
    return overview(run);
  case browser_verb::navigate:
  case browser_verb::dialog:
  case browser_verb::tabs:
    return;
  }
}

void browser_core::settle(const action_run_ptr& run) {
  if (run->over)
    return;
  const auto& limit = parts_.limit.browser;
  auto load = milliseconds{limit.navigation_ms};
  if (run->asked->verb == browser_verb::navigate)
    load = run->asked->timeout.value_or(load);
  run->settle.emplace(port_.self()->clock().now(), milliseconds{limit.quiet_ms}, load,
                      milliseconds{limit.settle_ms});
  if (run->held_since != mono_time{})
    run->settle->hold(run->held_since);
  watch(run);
  const auto look = [this, run](const auto& again) -> void {
    if (run->over || !run->settle)
      return;
    watch(run);
    if (run->over || !run->settle)
      return;
    // At the very moment when it has been quiet long enough, where that is sooner.
    const auto rest = run->settle->rest(port_.self()->clock().now());
    port_.timers().start(port_.self(),
                         rest > milliseconds{0} ? std::min(rest, look_interval) : look_interval,
                         [again] { again(again); });
  };
  look(look);
}

/// Looks whether its effects are over.
void browser_core::watch(const action_run_ptr& run) {
  if (run->over || !run->settle || run->asking)
    return;
  ask_whether_at_rest(run);
  if (verdict_on(*run) == settle_watch::verdict::wait)
    return;
  if (run->page->dialog || run->page->crashed) { // then it answers nothing more
    run->settle.reset();
    return complete(run);
  }
  if (tell_unread_failures(run->page))
    return;
  // What the browser has said before it answers this is known then: nothing is on its way.
  run->asking = true;
  port_.call(run->page->session, "Page.getNavigationHistory", json::object(),
             [this, run](const cdp_outcome& outcome) {
               run->asking = false;
               if (run->over || !run->settle)
                 return;
               if (outcome.ok)
                 take_document(*run->page, outcome.result);
               const auto verdict = verdict_on(*run);
               if (verdict == settle_watch::verdict::wait)
                 return;
               if (verdict == settle_watch::verdict::too_long)
                 note_effect(*run, "the page is still loading");
               run->settle.reset();
               complete(run);
             });
}

/// Asks the page what it has put off, unless that is known, and again when that has come.
void browser_core::ask_whether_at_rest(const action_run_ptr& run) {
  const auto question = run->settle->take_question(sight_of(run->page));
  if (!question)
    return;
  rest_.ask(run->page, run->settle->rest(port_.self()->clock().now()),
            answered_addresses(run->page),
            [this, run, question = *question](const std::optional<page_outlook>& outlook) {
              if (run->over || !run->settle || !outlook)
                return;
              if (outlook->due == milliseconds{0}) {
                run->settle->at_rest(question, outlook->reads);
                return watch(run);
              }
              port_.timers().start(port_.self(), outlook->due, [this, run, question] {
                if (run->over || !run->settle)
                  return;
                run->settle->ask_again(question);
                watch(run);
              });
            });
}

/// From where answers have begun to come of which the page says whether it reads them.
std::vector<std::string> browser_core::answered_addresses(const page_ptr& page) const {
  std::vector<std::string> out;
  for (const auto& [id, session] : table_.all())
    if (const auto found = requests_.find(id); session.page == page && found != requests_.end())
      for (auto& address : found->second.answered_addresses())
        out.push_back(std::move(address));
  return out;
}

settle_watch::verdict browser_core::verdict_on(action_run& run) {
  return run.settle->at(port_.self()->clock().now(), sight_of(run.page));
}

/// Requests in all of its sessions count, and bodies that are on their way here.
settle_watch::sight browser_core::sight_of(const page_ptr& page) const {
  settle_watch::sight out;
  out.loading = page->loading;
  out.stopped = page->dialog.has_value() || page->crashed;
  for (const auto& [id, session] : table_.all()) {
    if (session.page != page)
      continue;
    if (const auto bodies = open_bodies_.find(id); bodies != open_bodies_.end())
      out.bodies += bodies->second;
    const auto found = requests_.find(id);
    if (found == requests_.end())
      continue;
    out.requests += found->second.awaited();
    // Workers are not asked what they read.
    const bool is_asked = session.type == "page" || session.type == "iframe";
    out.unanswered += is_asked ? found->second.unanswered() : found->second.awaited();
    out.passing += found->second.passing();
  }
  return out;
}

/// The document that a page shows now: its address, its title, and how it was answered.
std::string browser_core::arrival_text(const page_ptr& page) const {
  std::string out = "navigated to " + page->url;
  if (!page->title.empty() && page->url.find(page->title) == std::string::npos)
    out += ' ' + page_quote(page->title);
  const auto found = requests_.find(page->session);
  const auto status = found == requests_.end() ? -1 : found->second.document_status(page->document);
  if (status >= 400)
    out += ", answered " + std::to_string(status);
  return out;
}

/// Says what came of it, once the engine has handled all that the page has said meanwhile.
void browser_core::complete(const action_run_ptr& run) {
  see_changes(run, [this, run] {
    flush();
    if (posts_.empty())
      report(run);
    else
      after_posts_.emplace_back(last_post_, [this, run] { report(run); });
  });
}

void browser_core::report(const action_run_ptr& run) {
  if (!run->failure.empty())
    return refuse(run, run->failure);
  action_report report;
  report.text = run->did;
  if (run->navigated)
    report.text += (report.text.empty() ? "" : "\n") + arrival_text(run->page);
  for (const auto& effect : run->effects)
    report.text += (report.text.empty() ? "" : "\n") + effect;
  if (report.text.empty())
    report.text = "done; nothing else happened";
  record_action(run);
  finish(run, std::move(report));
}

void browser_core::refuse(const action_run_ptr& run, std::string sentence) {
  action_report report;
  report.refused = true;
  report.text = std::move(sentence);
  // Of a form a part may be filled in by now.
  if (run->asked->verb == browser_verb::fill && run->asked->fields.size() > 1 && !run->did.empty())
    report.text += "\nBefore that: " + run->did + ".";
  finish(run, std::move(report));
}

void browser_core::finish(const action_run_ptr& run, action_report report) {
  if (std::exchange(run->over, true))
    return;
  run->settle.reset();
  if (run->page)
    report.page = run->page->handle;
  run->promise.deliver(std::make_shared<const action_report>(std::move(report)));
  if (run->page)
    next_in(run->page);
}

void browser_core::next_in(const page_ptr& page) {
  const auto running = running_.find(page->target);
  if (running == running_.end() || !running->second->over)
    return;
  running_.erase(running);
  const auto queue = queued_.find(page->target);
  if (queue == queued_.end() || queue->second.empty())
    return;
  const auto next = queue->second.front();
  queue->second.pop_front();
  if (queue->second.empty())
    queued_.erase(queue);
  running_[page->target] = next;
  perform(next);
}

} // namespace gasoline

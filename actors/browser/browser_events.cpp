#include "actors/base/url_pieces.hpp"
#include "actors/browser/browser_core.hpp"
#include "messages/base/encoding/base64.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
namespace dom = simdjson::dom;

/// The browser's own pages, and what extensions do.
bool is_of_browser(std::string_view url) {
  constexpr std::array<std::string_view, 4> schemes{"chrome://", "chrome-untrusted://",
                                                    "chrome-extension://", "devtools://"};
  for (const auto scheme : schemes)
    if (url.starts_with(scheme))
      return true;
  return false;
}

constexpr std::size_t most_body_bytes = 4'096;
constexpr std::size_t most_sample_bytes = 16'384; // larger ones would be cut, and are left out
constexpr std::string_view not_kept = "[not kept by the browser]";
constexpr std::chrono::seconds a_second{1};

/// Of the console or of the browser.
bool is_error(const cdp_message& event) {
  const auto type = text_at(event.content, "/type");
  return event.method == "Runtime.exceptionThrown" || type == "error" || type == "assert" ||
         text_at(event.content, "/entry/level") == "error";
}

std::string_view frame_word(std::string_view type) {
  return type == "page" ? "" : type == "iframe" ? "iframe" : "worker";
}

} // namespace

void browser_core::handle(const cdp_message& event) {
  const auto domain = event.method.substr(0, event.method.find('.'));
  if (domain == "Target" || domain == "Inspector")
    return handle_target(event);
  if (domain == "Network")
    return handle_network(event);
  if (domain == "Audits")
    return handle_issue(event);
  if (domain == "Browser")
    return handle_download(event);
  if (event.method == "Runtime.bindingCalled")
    return take_page_words(event);
  if (domain == "Runtime" || domain == "Log")
    return handle_console(event);
  if (domain == "Page" || domain == "Input")
    if (const auto page = table_.page_of(event.session))
      handle_page(event, page);
}

void browser_core::handle_target(const cdp_message& event) {
  if (event.method == "Target.attachedToTarget")
    return attached(event);
  if (event.method == "Target.detachedFromTarget")
    return detached(text_at(event.content, "/sessionId"));
  if (event.method == "Target.targetCrashed")
    return crashed(table_.by_target(text_at(event.content, "/targetId")));
  if (event.method == "Inspector.targetCrashed")
    return crashed(table_.page_of(event.session));
  if (event.method != "Target.targetInfoChanged")
    return;
  if (const auto page = table_.by_target(text_at(event.content, "/targetInfo/targetId"))) {
    page->url = text_at(event.content, "/targetInfo/url");
    page->title = text_at(event.content, "/targetInfo/title");
  }
}

void browser_core::attached(const cdp_message& event) {
  browser_session session;
  session.id = text_at(event.content, "/sessionId");
  session.target = text_at(event.content, "/targetInfo/targetId");
  session.type = text_at(event.content, "/targetInfo/type");
  session.url = text_at(event.content, "/targetInfo/url");
  session.parent = event.session;
  session.context = text_at(event.content, "/targetInfo/browserContextId");
  const bool waits = flag_at(event.content, "/waitingForDebugger");
  if (is_of_browser(session.url) || table_.sessions() >= parts_.limit.browser.sessions) {
    if (waits)
      port_.tell(session.id, "Runtime.runIfWaitingForDebugger");
    port_.tell({}, "Target.detachFromTarget", {{"sessionId", session.id}});
    return;
  }
  const auto* added = table_.add(std::move(session));
  if (added == nullptr)
    return;
  requests_.emplace(added->id, request_watch{parts_.limit.browser.requests});
  if (const auto outer = requests_.find(added->parent); outer != requests_.end())
    outer->second.hand_over(added->target);
  set_up(*added, waits);
  const auto page = added->page;
  if (added->type == "iframe")
    stir(page);
  else if (added->type != "page")
    hold(page); // what a worker begins with, its page learns later
  if (added->type != "page" || !added->parent.empty())
    return;
  if (const auto opener = table_.by_target(text_at(event.content, "/targetInfo/openerId"))) {
    page->owner = opener->owner;
    note(opener, "opened page " + page->handle + (page->url.empty() ? "" : ' ' + page->url));
  }
  if (const auto wanted = opening_.find(page->target); wanted != opening_.end()) {
    const auto run = wanted->second;
    opening_.erase(wanted);
    enter_new(run, page);
  }
}

void browser_core::detached(std::string_view session) {
  const auto page = table_.page_of(session);
  const bool was_page = page && page->session == session;
  for (const auto& gone : table_.remove(session)) {
    requests_.erase(gone);
    sockets_.erase(gone);
    open_bodies_.erase(gone);
    worlds_.worlds().session_gone(gone);
    rest_.session_gone(gone);
    speech_.erase(gone);
    holding_objects_.erase(gone);
    port_.session_gone(gone);
  }
  if (!was_page)
    return;
  leave_context(page->context);
  if (const auto run = run_in(page))
    end_with_page(run);
  for (const auto& run : std::exchange(queued_[page->target], {}))
    refuse(run, "The page " + page->handle + " was closed.");
  queued_.erase(page->target);
}

/// A page may close itself by what is done in it.
void browser_core::end_with_page(const action_run_ptr& run) {
  if (!run->acted || run->did.empty())
    return refuse(run, "The page " + run->page->handle + " was closed.");
  tell(run, run->did + "\nthe page " + run->page->handle + " was closed");
}

/// With its last page, what was kept apart for a client is gone.
void browser_core::leave_context(const std::string& context) {
  const auto& pages = table_.pages();
  const bool is_used = std::any_of(pages.begin(), pages.end(),
                                   [&](const page_ptr& page) { return page->context == context; });
  if (is_used || made_contexts_.erase(context) == 0)
    return;
  std::erase_if(contexts_, [&](const auto& row) { return row.second == context; });
  port_.tell({}, "Target.disposeBrowserContext", {{"browserContextId", context}});
}

/// A page whose process has died is told as an error of it; nothing else would.
void browser_core::crashed(const page_ptr& page) {
  if (!page || page->crashed)
    return;
  page->crashed = true;
  page->told_by_script = false;
  page->loading = false;
  std::string entry;
  json_object_writer w{entry};
  w.text("level", "error").text("type", "exception");
  w.text("message", "The page crashed: its process has died").text("reported_by", "browser");
  add_place(w, place_of(page->session));
  w.close();
  add_entry("logs", page->session, entry);
  port_.session_gone(page->session);
  note(page, "the page crashed");
}

void browser_core::handle_page(const cdp_message& event, const page_ptr& page) {
  const auto& content = event.content;
  if (event.method == "Page.javascriptDialogOpening") {
    page->dialog = page_dialog{std::string{text_at(content, "/type")},
                               std::string{text_at(content, "/message")}};
    note(page, dialog_words(*page->dialog) + " is open" +
                   (page->dialog->type == "beforeunload" ? "; to accept it leaves the page" : ""));
    std::string entry;
    json_object_writer w{entry};
    w.text("ts", now_text()).text("level", "info").text("type", "console");
    w.text("message", "Dialog: " + page->dialog->type + ' ' + page_quote(page->dialog->text));
    w.text("reported_by", "browser");
    add_place(w, place_of(event.session));
    w.close();
    add_entry("logs", event.session, entry);
    // The page stalls, and with it the command that brought the dialog about.
    if (const auto run = run_in(page); run && run->acted && !run->settle)
      settle(run);
    return;
  }
  if (event.method == "Page.javascriptDialogClosed") {
    page->dialog.reset();
    return stir(page);
  }
  if (event.method == "Input.dragIntercepted") {
    if (const auto data = value_at(content, "/data"))
      page->dragged = json::parse(simdjson::minify(*data), nullptr, false);
    return;
  }
  if (event.method == "Page.fileChooserOpened") {
    if (const auto answer = std::exchange(page->on_chooser, nullptr))
      answer(std::llround(number_at(content, "/backendNodeId")),
             text_at(content, "/mode") == "selectMultiple");
    return;
  }
  const auto frame = event.method == "Page.frameNavigated" ? text_at(content, "/frame/id")
                                                           : text_at(content, "/frameId");
  if (frame != page->main_frame)
    return;
  if (event.method == "Page.frameStartedLoading") {
    page->loading = true;
    stir(page);
  } else if (event.method == "Page.frameStoppedLoading") {
    page->loading = false;
    stir(page);
  } else if (event.method == "Page.frameNavigated") {
    page->url = text_at(content, "/frame/url");
    page->document = text_at(content, "/frame/loaderId");
    page->crashed = false;
    page->told_by_script = false;
    page->title.clear();
    if (const auto requests = requests_.find(page->session); requests != requests_.end())
      requests->second.leave(page->document);
    // As if its window were in front, which several pages are at once. Not earlier: a page that has
    // not begun yet dies of it (Chromium 156).
    if (!is_attached() || page->owner != 0)
      port_.tell(page->session, "Emulation.setFocusEmulationEnabled", {{"enabled", true}});
    if (const auto run = run_in(page))
      run->navigated = true;
    stir(page);
  } else if (event.method == "Page.navigatedWithinDocument") {
    page->url = text_at(content, "/url");
    note(page, "address is now " + page->url);
  } else if (event.method == "Page.downloadWillBegin") {
    note(page, "download of " + page_quote(text_at(content, "/suggestedFilename")));
  }
}

/// Scripts of a document have got somewhere to run, or have it no more.
void browser_core::handle_context(const cdp_message& event) {
  if (event.method == "Runtime.executionContextCreated")
    return rest_.context_came(event.session, event.content);
  if (event.method == "Runtime.executionContextsCleared") {
    if (auto* session = table_.session(event.session))
      session->followed_at = -1; // it is another document, followed from its beginning
    rest_.session_gone(event.session);
    return worlds_.worlds().session_gone(event.session);
  }
  const auto context = static_cast<int>(number_at(event.content, "/executionContextId"));
  rest_.context_gone(event.session, context);
  worlds_.worlds().context_gone(event.session, context);
}

void browser_core::handle_console(const cdp_message& event) {
  if (event.method.starts_with("Runtime.executionContext"))
    return handle_context(event);
  const bool is_console = event.method == "Runtime.consoleAPICalled";
  if (!is_console && event.method != "Runtime.exceptionThrown" && event.method != "Log.entryAdded")
    return;
  if (table_.session(event.session) == nullptr)
    return;
  const auto at = number_at(event.content,
                            event.method == "Log.entryAdded" ? "/entry/timestamp" : "/timestamp");
  const auto said = is_error(event) ? &session_speech::errors : &session_speech::usual;
  if (!speech_[std::string{event.session}].console.is_new(at) || !has_room(event.session, said))
    return;
  const auto place = place_of(event.session);
  if (is_console) {
    holding_objects_.insert(std::string{event.session});
    add_entry("logs", event.session, console_entry(event.content, place, parts_.limit));
  } else if (event.method == "Runtime.exceptionThrown") {
    add_entry("logs", event.session, exception_entry(event.content, place));
  } else {
    add_entry("logs", event.session, browser_entry(event.content, place));
  }
  hear(table_.page_of(event.session));
}

void browser_core::handle_network(const cdp_message& event) {
  const auto found = requests_.find(event.session);
  if (found == requests_.end() || is_of_browser(text_at(event.content, "/request/url")))
    return;
  handle_socket(event);
  if (event.method == "Network.webSocketCreated" || event.method == "Network.webSocketFrameSent")
    hold(table_.page_of(event.session));
  if (event.method == "Network.responseReceivedExtraInfo")
    return found->second.answered_in_full(event.content);
  std::optional<ended_request> done;
  if (event.method == "Network.requestWillBeSent")
    done = found->second.sent(event.content);
  else if (event.method == "Network.responseReceived")
    found->second.answered(event.content);
  else if (event.method == "Network.loadingFinished")
    done = found->second.finished(event.content);
  else if (event.method == "Network.loadingFailed")
    done = found->second.failed(event.content);
  else
    return;
  if (!done && event.method.starts_with("Network.loading")) {
    done = end_in_outer_session(event);
    if (!done)
      ask_for_late_requests(event.session);
  }
  hear_request(event, done);
  if (done && has_room(event.session))
    ended(event.session, *done);
}

/// The document of a frame in another process is asked for in the session around it, and ends in
/// its own.
std::optional<ended_request> browser_core::end_in_outer_session(const cdp_message& event) {
  const auto* session = table_.session(event.session);
  const auto outer = session == nullptr ? requests_.end() : requests_.find(session->parent);
  if (outer == requests_.end())
    return std::nullopt;
  return event.method == "Network.loadingFinished" ? outer->second.finished(event.content)
                                                   : outer->second.failed(event.content);
}

/// Failed requests whose answers the page does not read: what has come of them. False: there are
/// none.
bool browser_core::tell_unread_failures(const page_ptr& page) {
  std::vector<std::pair<std::string, ended_request>> all;
  for (const auto& [id, session] : table_.all())
    if (const auto found = requests_.find(id); session.page == page && found != requests_.end())
      for (auto& request : found->second.take_failed_answers())
        all.emplace_back(id, std::move(request));
  for (const auto& [session, request] : all)
    ended(session, request);
  return !all.empty();
}

void browser_core::ended(std::string_view session, const ended_request& request) {
  auto place = place_of(session);
  if (request.request.type == "Preflight" || request.request.url.starts_with("data:"))
    return;
  if (!request.request.page.empty())
    place.url = request.request.page;
  if (request.request.status != 0)
    add_entry("network_waterfall", session, timing_entry(request, place));
  if (request.is_sample)
    tell_sample(std::string{session}, request);
  else if (is_worth_a_body(request) && has_readable_body(request))
    tell_with_body(std::string{session}, request);
  else if (is_worth_a_body(request))
    add_entry("network_bodies", session, body_entry(request, place, body_reason(request)));
}

/// What a server answered to a request that failed says why; the browser still has it.
void browser_core::tell_with_body(const std::string& session, const ended_request& request) {
  ++open_bodies_[session];
  const json which{{"requestId", request.request.id}};
  if (request.is_open) // it tells what has come, and would send what is still to come
    return port_.call(session, "Network.streamResourceContent", which,
                      [this, session, request, which](const cdp_outcome& outcome) {
                        if (!outcome.ok) // it has ended meanwhile
                          return tell_whole_body(session, request, which);
                        const auto held = text_at(outcome.result, "/bufferedData");
                        tell_body(session, request,
                                  base64_decoded(held).value_or(std::string{not_kept}));
                      });
  tell_whole_body(session, request, which);
}

void browser_core::tell_whole_body(const std::string& session, const ended_request& request,
                                   const json& which) {
  port_.call(session, "Network.getResponseBody", which,
             [this, session, request](const cdp_outcome& outcome) {
               std::string body{not_kept};
               if (outcome.ok)
                 body = flag_at(outcome.result, "/base64Encoded")
                            ? "[binary]"
                            : std::string{text_at(outcome.result, "/body")};
               tell_body(session, request, body);
             });
}

void browser_core::tell_body(const std::string& session, const ended_request& request,
                             std::string_view body) {
  const auto open = open_bodies_.find(session);
  if (open != open_bodies_.end() && --open->second == 0)
    open_bodies_.erase(open);
  add_body(session, request, utf8_beginning(body, most_body_bytes));
  hear(table_.page_of(session));
}

void browser_core::add_body(const std::string& session, const ended_request& request,
                            std::string_view body) {
  auto place = place_of(session);
  if (!request.request.page.empty())
    place.url = request.request.page;
  add_entry("network_bodies", session, body_entry(request, place, body));
}

/// What a place answers when all is well says what it is like: fixtures and types are made of it.
/// Nothing waits for it.
void browser_core::tell_sample(const std::string& session, const ended_request& request) {
  port_.call(session, "Network.getResponseBody", {{"requestId", request.request.id}},
             [this, session, request](const cdp_outcome& outcome) {
               const auto body = outcome.ok ? text_at(outcome.result, "/body") : std::string_view{};
               const bool is_text = !body.empty() && !flag_at(outcome.result, "/base64Encoded");
               add_body(session, request,
                        is_text && body.size() <= most_sample_bytes ? body : std::string_view{});
             });
}

bool browser_core::has_room(std::string_view session, second_count session_speech::*said) {
  // Pages have last words when they are closed: all that are gone have one room, and leave nothing.
  const std::string who{table_.session(session) ? session : std::string_view{}};
  auto& speech = speech_[who];
  auto& count = speech.*said;
  const auto now = port_.self()->clock().now();
  if (now - count.second >= a_second)
    count = {now, 0};
  if (count.used < parts_.limit.browser.events_per_second) {
    ++count.used;
    return true;
  }
  ++overlooked_;
  if (speech.left_out++ == 0)
    port_.timers().start(port_.self(), a_second, [this, who] { tell_left_out(who); });
  return false;
}

/// As the page script tells what it has lost.
void browser_core::tell_left_out(const std::string& session) {
  const auto speech = speech_.find(session);
  if (speech == speech_.end() || speech->second.left_out == 0)
    return;
  const auto count = std::exchange(speech->second.left_out, 0);
  std::string entry;
  json_object_writer w{entry};
  w.text("ts", now_text()).text("level", "warn").text("type", "console");
  w.text("message", "gasoline: " + std::to_string(count) + " entries lost, of more than " +
                        std::to_string(parts_.limit.browser.events_per_second) + " in a second");
  add_place(w, place_of(session));
  w.close();
  add_entry("logs", session, entry);
}

entry_place browser_core::place_of(std::string_view session) {
  entry_place out;
  const auto* found = table_.session(session);
  if (found == nullptr)
    return out;
  out.frame = frame_word(found->type);
  out.url = found->url;
  if (found->page) {
    out.url = found->page->url;
    out.document = found->page->document;
    out.tab = found->page->handle;
  }
  out.late = found->late;
  return out;
}

void browser_core::add_entry(std::string_view format, std::string_view session,
                             const std::string& entry) {
  if (const auto page = table_.page_of(session); page && page->told_by_script)
    return;
  outbox_.add(format, take_apart(place_of(session).url).origin, entry);
  if (outbox_.empty() || std::exchange(flush_due_, true))
    return;
  // Behind what has come already, so that it goes out together.
  caf::anon_send(caf::actor_cast<browser_actor>(port_.self()), flush_atom_v);
}

/// What is being done in a page; null: nothing.
action_run_ptr browser_core::run_in(const page_ptr& page) const {
  const auto running = page ? running_.find(page->target) : running_.end();
  return running == running_.end() ? nullptr : running->second;
}

/// An effect of the action in a page, in words.
void browser_core::note(const page_ptr& page, std::string effect) {
  if (const auto run = run_in(page)) {
    note_effect(*run, std::move(effect));
    hear(page);
  }
}

/// Something has happened in a page: whoever acts in it waits a little longer.
void browser_core::hear(const page_ptr& page) {
  if (const auto run = run_in(page); run && run->settle) {
    run->settle->hear(port_.self()->clock().now());
    watch(run);
  }
}

/// The same, where the page may go on from there.
void browser_core::stir(const page_ptr& page) {
  if (const auto run = run_in(page); run && run->settle) {
    run->settle->stir(port_.self()->clock().now());
    watch(run);
  }
}

/// The same, where others may have something to say to the page.
void browser_core::hold(const page_ptr& page) {
  const auto run = run_in(page);
  if (!run || !run->acted)
    return;
  run->held_since = port_.self()->clock().now();
  if (run->settle)
    run->settle->hold(run->held_since);
}

/// What an event of a request means for the action in its page; `done`: the request has ended by
/// it.
void browser_core::hear_request(const cdp_message& event,
                                const std::optional<ended_request>& done) {
  const auto page = table_.page_of(event.session);
  const auto run = run_in(page);
  if (!run)
    return;
  const auto type = done ? std::string_view{done->request.type} : text_at(event.content, "/type");
  // The page has let all that was ready run, and so has not asked for what had come by then.
  const bool is_unread = done && done->was_over && run->settle && run->settle->is_at_rest();
  const auto method =
      done ? std::string_view{done->request.method} : text_at(event.content, "/request/method");
  const bool is_written = !method.empty() && method != "GET" && method != "HEAD";
  if (is_written && may_be_told_more(page))
    hold(page);
  if (is_unread || (!type.empty() && !is_awaited_type(type)))
    hear(page);
  else
    stir(page);
}

/// Whether a server may tell the page what a request has changed there.
bool browser_core::may_be_told_more(const page_ptr& page) const {
  const auto& all = table_.all();
  return std::any_of(all.begin(), all.end(), [&](const auto& row) {
    if (row.second.page != page)
      return false;
    const auto sockets = sockets_.find(row.first);
    const auto requests = requests_.find(row.first);
    return (sockets != sockets_.end() && sockets->second.has_open()) ||
           (requests != requests_.end() && requests->second.has_stream());
  });
}

} // namespace gasoline

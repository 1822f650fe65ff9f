#include "actors/base/url_pieces.hpp"
#include "actors/browser/browser_core.hpp"
#include "actors/browser/entries/issue_entries.hpp"
#include "actors/browser/pages/page_own_script.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr const char* watch_world = "gasoline watch";
constexpr std::size_t most_word_bytes = 65'536;
constexpr std::size_t most_downloads = 200;
constexpr std::size_t most_issues = 100; // remembered of a session

/// Requests of a document from before it was followed, as entries of the waterfall, and whether the
/// page script runs in it: those that began until `began` and ended after `ended`, by its clock.
constexpr const char* history_question = R"(((began, ended) => {
  const entries = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
  const told = entries
    .filter(({ startTime, responseEnd }) => startTime <= began && responseEnd > ended)
    .slice(-200)
    .map((entry) => ({
      ts: new Date(performance.timeOrigin + entry.startTime),
      url: entry.name,
      name: entry.name.split(/[?#]/)[0].split("/").at(-1),
      initiator_type: entry.initiatorType,
      status: entry.responseStatus || undefined,
      duration: entry.duration,
      transfer_size: entry.transferSize,
      page_url: location.href,
    }));
  return JSON.stringify({ script: globalThis["gasoline.js"] === true, told, now: performance.now() });
}))";

/// Behind the end of a request, in which its page may still note it.
constexpr std::chrono::milliseconds noting_time{50};

constexpr double all_of_time = 1e15;

/// What the page's clock says in an answer to it; negative: nothing.
double clock_of(const json& history) {
  const auto now = history.is_object() ? history.find("now") : history.end();
  return history.is_object() && now != history.end() && now->is_number() ? now->get<double>() : -1;
}

std::string history_call(double began, double ended) {
  return history_question + ('(' + json(began).dump()) + ',' + json(ended).dump() + ')';
}

/// The wire format of a route that the watching script names; empty: none of its own.
std::string_view format_of_route(std::string_view route) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> formats{{
      {"logs", "logs"},
      {"enhanced-actions", "actions"},
      {"performance-snapshots", "performance"},
  }};
  for (const auto& [known, format] : formats)
    if (known == route)
      return format;
  return {};
}

/// The actions of `interact` that a page does not notice as those of a user.
std::string_view recorded_as(browser_verb verb) {
  switch (verb) {
  case browser_verb::navigate:
    return "navigate";
  case browser_verb::dialog:
    return "dialog";
  case browser_verb::drag:
    return "drag";
  case browser_verb::upload:
    return "upload";
  case browser_verb::emulate:
    return "emulate";
  case browser_verb::hover:
    return "hover";
  case browser_verb::scroll:
    return "scroll";
  case browser_verb::evaluate:
    return "evaluate";
  default:
    return {};
  }
}

/// What it was done to, the same each time that it is done again.
std::string recorded_object(const action_run& run) {
  constexpr std::size_t most_bytes = 120;
  if (run.asked->verb == browser_verb::evaluate)
    return std::string{utf8_beginning(run.asked->expression, most_bytes)};
  // How far it has got then.
  return run.asked->verb == browser_verb::scroll ? run.did.substr(0, run.did.find(", ")) : run.did;
}

} // namespace

std::string browser_core::now_text() const {
  return to_iso8601(parts_.clock(port_.self()->clock().now()));
}

/// The page script leaves to the browser what it tells; what the browser cannot tell, a script of
/// its own does. Of a document that is there already, what has happened is asked for.
void browser_core::prepare_document(const browser_session& session, bool waits) {
  const auto& id = session.id;
  port_.tell(id, "Page.enable");
  port_.tell(id, "Runtime.addBinding",
             {{"name", "gasoline_tell"}, {"executionContextName", watch_world}});
  port_.tell(id, "Runtime.addBinding", {{"name", "gasoline_closed"}});
  port_.tell(id, "Page.addScriptToEvaluateOnNewDocument", {{"source", page_own_script()}});
  port_.tell(id, "Page.addScriptToEvaluateOnNewDocument",
             {{"source", parts_.watch}, {"worldName", watch_world}, {"runImmediately", !waits}});
  port_.tell(id, "Log.enable");
  port_.tell(id, "Audits.enable");
}

void browser_core::prepare_worker(const std::string& session) {
  port_.tell(session, "Runtime.addBinding", {{"name", "gasoline_closed"}});
  port_.tell(session, "Runtime.evaluate", {{"expression", page_own_script()}});
}

/// Asked before anything else: whether the page script tells of it decides what is told.
void browser_core::take_history(const std::string& session) {
  if (auto* known = table_.session(session))
    known->late = true;
  port_.call(
      session, "Runtime.evaluate",
      {{"expression", history_call(all_of_time, 0)}, {"returnByValue", true}, {"silent", true}},
      [this, session](const cdp_outcome& outcome) {
        const auto text = outcome.ok ? text_at(outcome.result, "/result/value") : "";
        auto history = json::parse(text, nullptr, false);
        if (auto* known = table_.session(session))
          known->followed_at = known->asked_at = clock_of(history);
        take_requests(session, std::move(history));
      });
}

/// A request has ended that had begun before the page was followed: all that is known of it is what
/// the page has noted.
void browser_core::ask_for_late_requests(std::string_view session) {
  auto* known = table_.session(session);
  if (known == nullptr || known->followed_at < 0 || std::exchange(known->asking, true))
    return;
  port_.timers().start(port_.self(), noting_time, [this, id = std::string{session}] {
    auto* asked = table_.session(id);
    if (asked == nullptr)
      return;
    port_.call(id, "Runtime.evaluate",
               {{"expression", history_call(asked->followed_at, asked->asked_at)},
                {"returnByValue", true},
                {"silent", true}},
               [this, id](const cdp_outcome& outcome) {
                 auto* late = table_.session(id);
                 if (late == nullptr)
                   return;
                 late->asking = false;
                 const auto text = outcome.ok ? text_at(outcome.result, "/result/value") : "";
                 auto history = json::parse(text, nullptr, false);
                 if (late->followed_at < 0 || clock_of(history) < 0)
                   return;
                 late->asked_at = clock_of(history);
                 take_requests(id, std::move(history));
               });
  });
}

/// What comes until this is answered is what the page's process says again. Only that process
/// answers in turn; the browser itself would answer before it.
void browser_core::end_history(const std::string& session) {
  port_.call(session, "Runtime.evaluate", {{"expression", "0"}},
             [this, session](const cdp_outcome&) {
               if (auto* known = table_.session(session))
                 known->late = false;
             });
}

/// What a page answers about its past may be anything: its scripts may have changed what makes it.
void browser_core::take_requests(const std::string& session, json history) {
  if (!history.is_object() || !history.contains("told") || !history["told"].is_array())
    return;
  const auto place = place_of(session);
  const auto page = table_.page_of(session);
  if (page && page->session == session && history.contains("script") && history["script"] == true)
    page->told_by_script = true;
  for (auto& entry : history["told"]) {
    if (!entry.is_object())
      continue;
    entry["seen_late"] = true;
    entry["tab"] = place.tab;
    add_entry("network_waterfall", session,
              entry.dump(-1, ' ', false, json::error_handler_t::replace));
  }
}

/// What the watching script says. It is of the page, so it is checked as what pages send.
void browser_core::take_page_words(const cdp_message& event) {
  const auto payload = text_at(event.content, "/payload");
  if (text_at(event.content, "/name") == "gasoline_closed" && payload.size() <= most_word_bytes &&
      table_.session(event.session))
    return sockets_[std::string{event.session}].note_reason(payload);
  if (text_at(event.content, "/name") != "gasoline_tell" || payload.size() > most_word_bytes ||
      !has_room(event.session))
    return;
  auto words = json::parse(payload, nullptr, false);
  const bool is_whole = words.is_object() && words.contains("entry") &&
                        words["entry"].is_object() && words.contains("to") &&
                        words["to"].is_string();
  if (!is_whole)
    return;
  const auto format = format_of_route(words["to"].get_ref<const std::string&>());
  if (format.empty())
    return;
  auto& entry = words["entry"];
  const auto place = place_of(event.session);
  const auto page = table_.page_of(event.session);
  if (!place.document.empty())
    entry["page_id"] = place.document;
  if (!place.tab.empty())
    entry["tab"] = place.tab;
  const auto run = run_in(page);
  if (format == "actions" && run && run->acted)
    entry["by"] = "interact";
  if (format == "actions" && entry.contains("frame")) // what is done in a frame is done on its page
    entry["url"] = place.url;
  add_entry(format, event.session, entry.dump(-1, ' ', false, json::error_handler_t::replace));
  hear(page);
}

void browser_core::handle_socket(const cdp_message& event) {
  if (event.method == "Network.webSocketClosed")
    return close_socket(std::string{event.session},
                        std::string{text_at(event.content, "/requestId")});
  auto& watch = sockets_[std::string{event.session}];
  const auto place = place_of(event.session);
  tell_of_socket(event.session, watch.told(event.method, event.content, place, now_text()));
}

void browser_core::tell_of_socket(std::string_view session, const std::string& entry) {
  if (entry.empty() || !has_room(session))
    return;
  add_entry("websocket_events", session, entry);
  stir(table_.page_of(session));
}

/// Why a socket was closed only its page is told, at the same time: what it says of it is here when
/// it answers.
void browser_core::close_socket(const std::string& session, const std::string& id) {
  const auto closed_at = now_text();
  port_.call(session, "Runtime.evaluate", {{"expression", "0"}},
             [this, session, id, closed_at](const cdp_outcome&) {
               const auto watch = sockets_.find(session);
               if (watch != sockets_.end())
                 tell_of_socket(session, watch->second.closed(id, place_of(session), closed_at));
             });
}

void browser_core::handle_issue(const cdp_message& event) {
  if (event.method != "Audits.issueAdded" || !has_room(event.session))
    return;
  add_entry("logs", event.session, issue_entry(event.content, place_of(event.session), now_text()));
}

void browser_core::handle_download(const cdp_message& event) {
  const std::string id{text_at(event.content, "/guid")};
  if (event.method == "Browser.downloadWillBegin") {
    if (downloads_.size() < most_downloads)
      downloads_[id] = text_at(event.content, "/suggestedFilename");
    return;
  }
  const auto state = text_at(event.content, "/state");
  const auto found = downloads_.find(id);
  if (event.method != "Browser.downloadProgress" || state == "inProgress" ||
      found == downloads_.end())
    return;
  const bool is_done = state == "completed";
  std::string entry;
  json_object_writer w{entry};
  w.text("ts", now_text()).text("level", is_done ? "info" : "warn").text("type", "console");
  w.text("message",
         "Download of " + page_quote(found->second) + (is_done ? " is complete" : " was canceled"));
  w.text("reported_by", "browser");
  w.close();
  downloads_.erase(found);
  add_entry("logs", event.session, entry);
}

/// What a user is not seen doing, such as answering a dialog, belongs to the story of a fault as
/// well.
void browser_core::record_action(const action_run_ptr& run) {
  const auto type = recorded_as(run->asked->verb);
  if (type.empty())
    return;
  json entry{{"type", type},
             {"ts", to_iso8601(parts_.clock(run->begun))},
             {"url", run->page->url},
             {"tab", run->page->handle},
             {"page_id", run->page->document},
             {"by", "interact"}};
  if (run->asked->verb == browser_verb::navigate)
    entry["to_url"] = run->page->url;
  else
    entry["selectors"] = {{"text", recorded_object(*run)}};
  if (run->asked->verb == browser_verb::dialog)
    entry["accept"] = run->asked->accept.value_or(true);
  add_entry("actions", run->page->session,
            entry.dump(-1, ' ', false, json::error_handler_t::replace));
}

} // namespace gasoline

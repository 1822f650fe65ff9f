#include "actors/browser/browser_core.hpp"

#include "messages/base/own_log.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

/// A browser that asks its user is not asked twice, so it is waited for.
constexpr std::chrono::minutes consent_patience{10};
constexpr std::chrono::seconds look_again_for_browser{5};

/// Follows whatever comes up, and holds it until it is set up.
json following() {
  return {{"autoAttach", true}, {"waitForDebuggerOnStart", true}, {"flatten", true}};
}

bool is_document(std::string_view type) {
  return type == "page" || type == "iframe";
}

} // namespace

browser_core::browser_core(browser_actor::pointer self, browser_parts parts)
    : parts_(std::move(parts)),
      port_(self, parts_.limit),
      outbox_(parts_.limit),
      worlds_(port_, table_, parts_.limit),
      rest_(port_, table_, parts_.limit),
      search_(worlds_, port_, parts_.limit) {}

void browser_core::connect() {
  if (stage_ != stage::none)
    return;
  stage_ = stage::starting;
  restarts_ += link_ > 0 ? 1U : 0U;
  const auto self = port_.self();
  port_.use(parts_.dialer->connect(++link_, caf::actor_cast<browser_reader>(self)));
  if (!port_.is_open())
    return; // why not is on its way
  port_.call(
      {}, "Browser.getVersion", json::object(),
      [this](const cdp_outcome& outcome) {
        if (outcome.ok)
          version_ = text_at(outcome.result, "/product");
        begin_session(outcome.problem);
      },
      is_attached() ? consent_patience : std::chrono::milliseconds{parts_.limit.browser.start_ms});
}

/// The browser has answered, or has not.
void browser_core::begin_session(const std::string& problem) {
  if (stage_ != stage::starting)
    return;
  if (!problem.empty())
    return lost(link_, {"The browser does not answer after its start; it was ended."});
  port_.tell({}, "Target.setDiscoverTargets", {{"discover", true}});
  port_.tell({}, "Browser.setDownloadBehavior", {{"behavior", "default"}, {"eventsEnabled", true}});
  port_.call({}, "Target.setAutoAttach", following(), [this](const cdp_outcome& outcome) {
    if (stage_ != stage::starting)
      return;
    if (!outcome.ok)
      return lost(link_,
                  {"The browser does not let its pages be followed: " + outcome.problem + "."});
    stage_ = stage::ready;
    last_loss_.clear();
    for (const auto& run : std::exchange(waiting_, {}))
      begin(run);
  });
}

/// Everything that is wanted of a session, in one go; what it holds back comes after it.
void browser_core::set_up(const browser_session& session, bool waits) {
  const auto id = session.id;
  const bool is_late = !waits && is_document(session.type);
  if (is_late)
    take_history(id);
  port_.tell(id, "Runtime.enable");
  port_.tell(id, "Network.enable", {{"maxTotalBufferSize", 32U << 20U}});
  if (is_document(session.type))
    prepare_document(session, waits);
  else if (waits) // the page script does not tell in workers what the browser tells
    prepare_worker(id);
  port_.tell(id, "Target.setAutoAttach", following());
  if (is_late)
    end_history(id);
  if (waits)
    port_.tell(id, "Runtime.runIfWaitingForDebugger");
}

void browser_core::said(std::uint64_t link, const std::string& text) {
  if (link != link_ || stage_ == stage::none)
    return;
  const auto message = reader_.read(text);
  if (!message)
    return;
  if (message->id != 0)
    port_.answered(*message);
  else
    handle(*message);
}

void browser_core::lost(std::uint64_t link, const browser_loss& loss) {
  if (link != link_ || stage_ == stage::none)
    return;
  if (std::exchange(last_loss_, loss.sentence) != loss.sentence)
    own_log::warn("{}", loss.sentence);
  stage_ = stage::none;
  table_.clear();
  contexts_.clear();
  in_profile_ = 0;
  made_contexts_.clear();
  worlds_.worlds().clear();
  rest_.clear();
  requests_.clear();
  sockets_.clear();
  downloads_.clear();
  open_bodies_.clear();
  speech_.clear();
  holding_objects_.clear();
  fail_all(loss.sentence);
  port_.use(nullptr);
  if (is_attached() && loss.may_retry)
    port_.timers().start(port_.self(), look_again_for_browser, [this] { connect(); });
}

std::string browser_core::loss_text(const std::string& sentence) const {
  return is_attached() ? sentence : sentence + " The next interact starts it anew.";
}

void browser_core::fail_all(const std::string& sentence) {
  std::vector<action_run_ptr> all = std::exchange(waiting_, {});
  for (const auto& [target, run] : std::exchange(opening_, {}))
    all.push_back(run);
  for (const auto& [target, run] : std::exchange(running_, {}))
    all.push_back(run);
  for (auto& [target, runs] : std::exchange(queued_, {}))
    all.insert(all.end(), runs.begin(), runs.end());
  for (const auto& run : all)
    refuse(run, loss_text(sentence));
}

void browser_core::forget(client_id client) {
  table_.forget(client);
  contexts_.erase(client);
  if (in_profile_ == client)
    in_profile_ = 0;
}

/// Tells the engine what has come together, a body for each format and page origin.
void browser_core::flush() {
  flush_due_ = false;
  for (auto& letter : outbox_.take()) {
    const auto post = ++last_post_;
    posts_.insert(post);
    auto request = std::make_shared<ingest_request>();
    request->format = letter.format;
    request->origin = std::move(letter.origin);
    request->body = std::move(letter.body);
    const auto self = caf::actor_cast<caf::actor_addr>(port_.self());
    request->reply = [self, post](const ingest_answer&) {
      if (const auto strong = caf::actor_cast<browser_actor>(self))
        caf::anon_send(strong, settled_atom_v, post);
    };
    caf::anon_send(parts_.ingest, ingest_atom_v, std::move(request));
  }
  for (const auto& session : std::exchange(holding_objects_, {}))
    port_.tell(session, "Runtime.releaseObjectGroup", {{"objectGroup", "console"}});
}

void browser_core::told(std::uint64_t post) {
  posts_.erase(post);
  const auto first_open = posts_.empty() ? last_post_ + 1 : *posts_.begin();
  std::vector<std::function<void()>> due;
  std::erase_if(after_posts_, [&](auto& row) {
    if (row.first >= first_open)
      return false;
    due.push_back(std::move(row.second));
    return true;
  });
  for (const auto& then : due)
    then();
}

json browser_core::health() const {
  constexpr const char* stages[] = {"none", "starting", "ready"};
  return {{"browser",
           {{"state", stages[static_cast<int>(stage_)]},
            {"version", version_},
            {"pages", table_.pages().size()},
            {"sessions", table_.sessions()},
            {"restarts", restarts_},
            {"told", outbox_.told()}}},
          {"dropped",
           {{"browser_messages", port_.dropped()},
            {"browser_entries", outbox_.dropped()},
            {"browser_events", overlooked_},
            {"browser_unanswered", port_.unanswered()}}}};
}

} // namespace gasoline

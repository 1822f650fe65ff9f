#include "actors/mcp_tools/observe/alerts_mode.hpp"

#include "actors/alerts/scope/other_projects.hpp"
#include "actors/mcp_tools/observe/answer/answer_builder.hpp"
#include "actors/mcp_tools/tool/call_wait.hpp"
#include "messages/alerts/alert_json.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

/// One call that found nothing unread and waits.
struct alert_waiter {
  tool_call call;
  observe_call asked;
  call_wait wait;
  std::uint64_t timer = 0;
  std::uint64_t number = 0; ///< of its wait for the next alert
  bool waiting = true;      ///< neither answered nor cancelled
};

using waiter_ptr = std::shared_ptr<alert_waiter>;

/// The alerts behind the cursor, errors first, as far as they fit. A cursor counts alerts.
shown_alerts new_alerts(const observe_call& call, const alert_listing& listing) {
  std::uint64_t newest = 0;
  for (const auto& item : listing.items)
    newest = std::max(newest, item.id);
  const auto after = call.query.after_sequence > newest ? 0 : call.query.after_sequence;
  auto items = listing.items;
  std::erase_if(items, [&](const listed_alert& item) { return item.id <= after; });
  std::stable_sort(items.begin(), items.end(),
                   [](const listed_alert& a, const listed_alert& b) { return a.level > b.level; });
  shown_alerts out;
  answer_builder answer{call};
  for (const auto& item : items) {
    if (!answer.add(item.text))
      break;
    out.told.alerts.push_back({item.id, item.count});
    out.newly_read += item.unread ? 1 : 0;
  }
  auto sentence = items.empty() ? std::string{"No new alerts."}
                                : counted(items.size(), call.subject) + " since the cursor";
  if (answer.count() < items.size())
    sentence +=
        ", the worst first; " + std::to_string(items.size() - answer.count()) + " did not fit";
  if (!items.empty())
    sentence.append(". ").append(outside_text_label);
  out.text = answer.finish_new(std::move(sentence), items.size(), newest, 0);
  return out;
}

void answer_listing(const tool_call& call, const observe_call& asked,
                    const alert_listing& listing) {
  if (!call.is_open())
    return;
  auto shown = asked.only_new ? new_alerts(asked, listing) : alerts_answer(asked, listing);
  const bool waited = asked.wait.count() > 0;
  call.mark_shown(std::move(shown.told),
                  waited ? shown_channel::waiting_call : shown_channel::listing);
  call.answer(text_result(std::move(shown.text)));
}

void answer_now(const tool_call& call, const observe_call& asked) {
  call.alerts(
      [call, asked](const alert_listing& listing) { answer_listing(call, asked, listing); });
}

void forget(const waiter_ptr& waiter) {
  waiter->waiting = false;
  waiter->call.stop(waiter->timer);
  waiter->call.stop_waiting(waiter->number);
}

void finish(const waiter_ptr& waiter) {
  forget(waiter);
  answer_now(waiter->call, waiter->asked);
}

/// Shows progress and looks again later, or gives up.
void look(const waiter_ptr& waiter) {
  const auto& call = waiter->call;
  const auto step = waiter->wait.at(call.now());
  if (step.over) {
    finish(waiter);
    return;
  }
  if (step.progressed)
    call.progress(static_cast<double>(step.progressed->count()),
                  static_cast<double>(waiter->wait.length().count()), "Waiting for an alert.");
  waiter->timer = call.after(std::chrono::ceil<std::chrono::milliseconds>(step.next),
                             [waiter] { look(waiter); });
}

bool any_unread(const alert_listing& listing) {
  return std::any_of(listing.items.begin(), listing.items.end(),
                     [](const listed_alert& item) { return item.unread; });
}

/// Tells a modern client of the alert with the parameters that it would be pushed with.
void log_alert(const tool_call& call, const alert_ptr& a) {
  const auto params = json::parse(notification_text({merged_alert{a}}, call.limit())).at("params");
  call.log(params.at("level").get<std::string>(), params.at("logger").get<std::string>(),
           params.at("data"));
}

void wake(const waiter_ptr& waiter, const alert_ptr& a) {
  if (a && waiter->call.era() == mcp_era::modern)
    log_alert(waiter->call, a);
  finish(waiter);
}

/// From now on an alert answers the call. Null: the client has left, and nothing waits.
waiter_ptr begin(const tool_call& call, const observe_call& asked) {
  std::optional<std::chrono::milliseconds> every;
  if (call.wants_progress())
    every = std::chrono::milliseconds{call.limit().client.progress_ms};
  const auto waiter = std::make_shared<alert_waiter>(
      alert_waiter{call, asked, call_wait{call.now(), asked.wait, every}});
  if (!call.wait_for_alert([waiter](const alert_ptr& a) { wake(waiter, a); }, waiter->number))
    return nullptr;
  call.on_cancelled([waiter] { forget(waiter); });
  return waiter;
}

/// Answers with what is unread already; otherwise the wait begins.
void take_listing(const waiter_ptr& waiter, const alert_listing& listing) {
  if (!waiter->waiting)
    return; // an alert has answered it, or it was cancelled
  if (!any_unread(listing)) {
    look(waiter);
    return;
  }
  forget(waiter);
  answer_listing(waiter->call, waiter->asked, listing);
}

/// It waits before it asks: an alert that is raised while the listing is on its way is in neither.
void wait_for_alerts(const tool_call& call, const observe_call& asked) {
  if (const auto waiter = begin(call, asked))
    call.alerts([waiter](const alert_listing& listing) { take_listing(waiter, listing); });
  else
    answer_now(call, asked);
}

} // namespace

shown_alerts alerts_answer(const observe_call& call, const alert_listing& listing) {
  const auto& items = listing.items;
  shown_alerts out;
  list_pager pager{call, items.size()};
  pager.add_while([&](std::size_t i) { return items[i].text; });
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!pager.shown(i))
      continue;
    out.told.alerts.push_back({items[i].id, items[i].count});
    out.newly_read += items[i].unread ? 1 : 0;
  }
  auto tail = ", " + std::to_string(out.newly_read) + " shown that are new to you";
  if (listing.elsewhere > 0)
    tail += ", " + alerts_of_other_projects(listing.elsewhere) + " not shown";
  out.text = pager.finish(tail);
  return out;
}

tool_mode alerts_mode(const limits_of<client_room, result_room>& limit) {
  auto mode = make_mode(
      alerts_subject.mode, "the last 50 alerts, the newest first; with wait_seconds it waits",
      observe_parameters(plain_call(alerts_subject, limit, limit.result.bytes), limit, true),
      [](const tool_call& call, const observe_call& asked) {
        if (asked.wait.count() > 0)
          wait_for_alerts(call, asked);
        else
          answer_now(call, asked);
      });
  mode.shows_alerts = true;
  return mode;
}

} // namespace gasoline

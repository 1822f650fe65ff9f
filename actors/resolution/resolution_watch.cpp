#include "actors/resolution/resolution_watch.hpp"

#include "actors/alerts/raise_alerts.hpp"
#include "actors/alerts/scope/alert_scope.hpp"
#include "actors/base/age_text.hpp"
#include "actors/base/exception_guard.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using std::chrono::milliseconds;
using watch_self = resolution_watch_actor::stateful_pointer<resolution_watch_state>;

/// The page that was loaded anew is itself the change, and is noted by another actor.
constexpr milliseconds at_the_same_time{50};

/// The last change between the fault and its trial; null: nothing changed.
const telemetry_mark* change_before(const telemetry_marks& marks, const clean_trial& trial) {
  const telemetry_mark* out = nullptr;
  for (const auto& mark : marks) {
    if (mark.noted <= trial.last_seen || mark.noted > trial.tried + at_the_same_time)
      continue;
    // A page is loaded after each change: the change itself says more.
    if (!out || mark.kind != mark_kind::reload || out->kind == mark_kind::reload)
      out = &mark;
  }
  return out;
}

/// `after commit 1a2b3c4 (Round totals)`.
std::string words_of(const telemetry_mark& mark) {
  const auto said = mark.about.empty() ? std::string{} : " (" + mark.about + ")";
  switch (mark.kind) {
  case mark_kind::named:
    return " after the mark " + mark.name;
  case mark_kind::commit:
    return " after " + mark.name + said;
  case mark_kind::build:
    return " after the build passed" + said;
  case mark_kind::reload:
    break;
  }
  return " after the page was loaded anew" + said;
}

std::string detail_of(const clean_trial& trial, const telemetry_mark& change, mono_time now) {
  const auto away = std::chrono::duration_cast<milliseconds>(now - trial.last_seen);
  std::string_view proof = trial.proof;
  if (proof.ends_with(" since")) // the change says since when
    proof.remove_suffix(std::string_view{" since"}.size());
  return "Not seen for " + age_text(away) + ": " + std::string{proof} + words_of(change) + ".";
}

alert resolved_alert(const resolution_watch_state& state, const clean_trial& trial,
                     const telemetry_mark& change, mono_time now) {
  const auto& told = trial.told;
  alert a;
  a.category = told.category;
  a.kind = told.kind;
  a.level = severity::info;
  a.page_data = true;
  a.resolved = true;
  a.title = redacted(literal{"Resolved: "}, told.title);
  a.detail = state.redaction->text(detail_of(trial, change, now));
  a.source = literal{"resolution_watch"};
  a.url = told.url;
  a.page = told.page;
  a.service = told.service;
  a.pid = told.pid;
  a.ends = told.dedup_key;
  a.dedup_key = ending_key(told.dedup_key);
  a.next = literal{R"(analyze {"what":"diff"})"};
  return a;
}

void judge(watch_self self, const clean_trial& trial, const telemetry_marks& marks,
           const ticket_ptr& ticket) {
  auto& state = self->state;
  const auto* change = change_before(marks, trial);
  if (!state.faults.settle(trial, change != nullptr))
    return;
  ++state.resolved;
  const auto now = self->clock().now();
  raise_alerts(state.to.hub, state.clock, {resolved_alert(state, trial, *change, now)}, now,
               ticket);
}

/// Finds out what has changed in the projects that the fault concerns.
void look_for_changes(watch_self self, clean_trial trial, const ticket_ptr& ticket) {
  auto& to = self->state.to;
  ++self->state.trials;
  const auto from = provenance_of(trial.told, {});
  self->request(to.alerts, caf::infinite, scope_atom_v, from)
      .then(
          [self, trial = std::move(trial), ticket](const std::vector<std::string>& trees) {
            self->request(self->state.to.marks, caf::infinite, list_atom_v, trees)
                .then([self, trial,
                       ticket](const telemetry_marks& marks) { judge(self, trial, marks, ticket); },
                      [](const caf::error&) {});
          },
          [](const caf::error&) {});
}

void keep_time(watch_self self, mono_time now) {
  auto& state = self->state;
  const auto at = state.faults.next();
  if (!at || (state.tick_at && *state.tick_at <= *at))
    return;
  state.tick_at = at;
  self->delayed_send(self, std::max<mono_time::duration>(*at - now, milliseconds{1}), tick_atom_v);
}

void look_at_trials(watch_self self, mono_time now, const ticket_ptr& ticket) {
  for (auto& trial : self->state.faults.due(now))
    look_for_changes(self, std::move(trial), ticket);
  keep_time(self, now);
}

void take_batch(watch_self self, const event_batch& batch, mono_time now) {
  bool is_first = true;
  for (const auto& e : batch.events)
    self->state.faults.take(e, std::exchange(is_first, false), now);
  look_at_trials(self, now, batch.ticket);
}

health_part health_of(const resolution_watch_state& state) {
  return std::make_shared<const nlohmann::json>(nlohmann::json{{"resolution",
                                                                {{"followed", state.faults.size()},
                                                                 {"trials", state.trials},
                                                                 {"resolved", state.resolved}}}});
}

} // namespace

resolution_watch_actor::behavior_type
resolution_watch(watch_self self, resolution_sources to, wall_clock clock,
                 std::shared_ptr<const redaction_engine> redaction,
                 const limits_of<alert_room, detection_room>& limit) {
  auto& state = self->state;
  state.to = std::move(to);
  state.clock = std::move(clock);
  state.redaction = std::move(redaction);
  state.faults = followed_faults{limit};
  guard_exceptions(self);
  return {
      [self](health_atom) { return health_of(self->state); },
      [self](batch_atom, const event_batch_ptr& batch) {
        take_batch(self, *batch, self->clock().now());
      },
      [self](tick_atom) {
        self->state.tick_at.reset();
        look_at_trials(self, self->clock().now(), nullptr);
      },
  };
}

} // namespace gasoline

#include "actors/resolution/mark_log.hpp"

#include "actors/base/exception_guard.hpp"
#include "actors/resolution/deed_words.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

using mark_log_self = mark_log_actor::stateful_pointer<mark_log_state>;

constexpr std::size_t about_bytes = 100;

void forget_name(telemetry_marks& marks, std::string_view name) {
  std::erase_if(marks, [&](const auto& known) { return known.name == name; });
}

/// Whether the oldest one had to go for it.
bool keep(telemetry_marks& marks, telemetry_mark mark, std::uint64_t most) {
  const bool full = marks.size() >= most;
  if (full)
    marks.erase(marks.begin());
  marks.push_back(std::move(mark));
  return full;
}

/// `build 14:30:05.120`; one day later the name is free again.
std::string name_for(std::string_view what, wall_time at) {
  constexpr std::size_t time_begins = 11;
  constexpr std::size_t time_bytes = 12;
  return std::string{what} + ' ' + to_iso8601(at).substr(time_begins, time_bytes);
}

void note(mark_log_state& state, const event& e, mark_kind kind, std::string about, mono_time now) {
  auto name = name_for(kind == mark_kind::build ? "build" : "reload", e.at);
  forget_name(state.noted, name);
  keep(state.noted, {std::move(name), e.at, kind, std::move(about), now}, state.most);
}

/// What a page sends at once comes from one document, so its first event tells which.
void take_batch(mark_log_state& state, const event_batch& batch, mono_time now) {
  if (batch.events.empty())
    return;
  const auto& first = *batch.events.front();
  if (state.documents.take(first) == known_documents::news::reload)
    note(state, first, mark_kind::reload, std::string{page_of(first).substr(0, about_bytes)}, now);
  for (const auto& e : batch.events)
    if (e->build == build_state::passed)
      note(state, *e, mark_kind::build, e->message.shortened(about_bytes).str(), now);
}

/// All marks, the newest last.
telemetry_marks all_marks(const mark_log_state& state) {
  auto out = state.noted;
  out.insert(out.end(), state.named.begin(), state.named.end());
  return out;
}

telemetry_marks in_order(telemetry_marks marks) {
  std::stable_sort(marks.begin(), marks.end(),
                   [](const auto& a, const auto& b) { return a.noted < b.noted; });
  return marks;
}

telemetry_marks with_commits(const mark_log_state& state, const std::vector<std::string>& trees,
                             mono_time now) {
  auto out = all_marks(state);
  for (const auto& tree : trees)
    for (auto& commit : state.commits->of(tree, now, state.clock(now))) {
      forget_name(out, commit.name);
      out.push_back(std::move(commit));
    }
  return in_order(std::move(out));
}

// A name that is set again moves.
telemetry_marks set_mark(mark_log_state& state, telemetry_mark mark, mono_time now) {
  forget_name(state.named, mark.name);
  mark.noted = now;
  state.dropped += keep(state.named, std::move(mark), state.most) ? 1 : 0;
  ++state.set;
  return state.named;
}

health_part health_of(const mark_log_state& state) {
  return std::make_shared<const nlohmann::json>(
      nlohmann::json{{"marks",
                      {{"set", state.set},
                       {"kept", state.named.size()},
                       {"dropped", state.dropped},
                       {"set_by_themselves", state.noted.size()}}}});
}

} // namespace

mark_log_actor::behavior_type mark_log(mark_log_self self, wall_clock clock,
                                       std::shared_ptr<const redaction_engine> redaction,
                                       const limits_of<store_room>& limit) {
  auto& state = self->state;
  state.clock = std::move(clock);
  state.commits.emplace(std::move(redaction));
  state.most = limit.store.marks;
  guard_exceptions(self);
  return {
      [self](health_atom) { return health_of(self->state); },
      [self](batch_atom, const event_batch_ptr& batch) {
        take_batch(self->state, *batch, self->clock().now());
      },
      [self](mark_atom, telemetry_mark& mark) {
        return set_mark(self->state, std::move(mark), self->clock().now());
      },
      [self](list_atom, const std::vector<std::string>& trees) {
        return with_commits(self->state, trees, self->clock().now());
      },
  };
}

} // namespace gasoline

#include "actors/telemetry/telemetry_store.hpp"

#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"

#include <algorithm>

namespace gasoline {
namespace {

using buffer = telemetry_buffers::buffer;
using store_self = telemetry_store_actor::stateful_pointer<telemetry_store_state>;

redacted_text pressure_title(memory_pressure from, memory_pressure to) {
  struct title {
    memory_pressure level;
    literal text;
  };
  constexpr title rising[] = {
      {memory_pressure::normal, "Memory pressure is back to normal"},
      {memory_pressure::soft,
       "Memory pressure: soft limit passed, the oldest telemetry was dropped"},
      {memory_pressure::hard,
       "Memory pressure: hard limit passed, half of the largest buffer was dropped"},
      {memory_pressure::critical, "Memory pressure: critical, all telemetry buffers were cleared"},
  };
  if (to < from && to != memory_pressure::normal)
    return redacted(literal{"Memory pressure eased"});
  return redacted(rising[static_cast<std::size_t>(to)].text);
}

severity pressure_severity(memory_pressure from, memory_pressure to) {
  if (to < from)
    return severity::info;
  return to == memory_pressure::soft ? severity::warning : severity::error;
}

alert pressure_alert(memory_pressure from, memory_pressure to, std::uint64_t bytes,
                     const limits_of<detection_room, memory_room, store_room>& limit) {
  alert a;
  a.level = pressure_severity(from, to);
  a.category = alert_category::threshold;
  a.kind = alert_topic::errors;
  a.title = pressure_title(from, to);
  a.detail = redacted(literal{"Buffered bytes: "}, bytes, literal{" (soft "},
                      limit.memory.soft_bytes, literal{", hard "}, limit.memory.hard_bytes,
                      literal{", critical "}, limit.memory.critical_bytes, literal{")"});
  a.source = literal{"telemetry_store"};
  a.next = literal{R"(configure {"action":"health"})"};
  return a;
}

void tell_pressure(store_self self, memory_pressure to, std::uint64_t bytes,
                   const ticket_ptr& ticket) {
  auto& state = self->state;
  auto a = pressure_alert(state.pressure, to, bytes, state.limit);
  state.pressure = to;
  ++state.pressure_changes;
  for (const auto& listener : state.pressure_listeners)
    caf::anon_send(listener, pressure_atom_v, to);
  raise_alerts(state.hub, state.clock, {std::move(a)}, self->clock().now(), ticket);
}

/// Tells about a change. While there is pressure a timer looks again, since refused bodies no
/// longer arrive here to show that it has eased.
void follow_pressure(store_self self, memory_pressure found, std::uint64_t bytes,
                     const ticket_ptr& ticket) {
  auto& state = self->state;
  if (found != state.pressure)
    tell_pressure(self, found, bytes, ticket);
  if (found == memory_pressure::normal || state.watching)
    return;
  state.watching = true;
  self->delayed_send(self, std::chrono::milliseconds{state.limit.memory.check_ms}, tick_atom_v);
}

bool is_shown_error(const event& e) {
  return e.kind == telemetry_kind::log && e.level == log_level::error &&
         e.noise != noise_mark::noise;
}

void tell_watchers(telemetry_store_state& state, const event_batch& batch) {
  state.telemetry.changed();
  if (std::any_of(batch.events.begin(), batch.events.end(),
                  [](const event_ptr& e) { return is_shown_error(*e); }))
    state.errors.changed();
}

nlohmann::json health_of(const telemetry_store_state& state) {
  nlohmann::json buffers = nlohmann::json::object();
  nlohmann::json dropped = nlohmann::json::object();
  for (std::size_t i = 0; i < telemetry_buffers::buffer_count; ++i) {
    const auto b = static_cast<buffer>(i);
    const auto& ring = state.buffers->ring(b);
    const std::string name{telemetry_buffers::name(b)};
    buffers[name] = {{"entries", ring.size()},
                     {"bytes", ring.bytes()},
                     {"max_entries", ring.max_entries()},
                     {"max_bytes", ring.max_bytes()}};
    dropped[name] = ring.evicted();
  }
  return {{"buffers", std::move(buffers)},
          {"dropped", std::move(dropped)},
          {"memory",
           {{"bytes", state.buffers->bytes()},
            {"pressure", name_of(state.pressure)},
            {"changes", state.pressure_changes}}}};
}

} // namespace

telemetry_store_actor::behavior_type
telemetry_store(store_self self, alert_hub_actor hub, wall_clock clock,
                limits_of<detection_room, memory_room, store_room> limit) {
  guard_exceptions(self);
  self->state.buffers.emplace(limit);
  self->state.hub = std::move(hub);
  self->state.clock = std::move(clock);
  self->state.limit = limit;
  return {
      [self](health_atom) {
        return std::make_shared<const nlohmann::json>(health_of(self->state));
      },
      [self](batch_atom, const event_batch_ptr& batch) {
        auto& state = self->state;
        state.any_source_seen = true;
        for (const auto& e : batch->events)
          state.buffers->append(e);
        tell_watchers(state, *batch);
        const auto bytes = state.buffers->bytes();
        follow_pressure(self, state.buffers->relieve(), bytes, batch->ticket);
      },
      [self](watch_atom, const change_sink& watcher, watched_part part) {
        auto& state = self->state;
        (part == watched_part::errors ? state.errors : state.telemetry).watch(watcher);
      },
      [self](query_atom, const store_query& q) {
        auto page = self->state.buffers->query(q);
        page.any_source_seen = self->state.any_source_seen;
        return page;
      },
      [self](query_atom) -> event_snapshot_ptr {
        auto all = std::make_shared<event_snapshot>(self->state.buffers->share());
        all->any_source_seen = self->state.any_source_seen;
        return all;
      },
      [self](counts_atom) {
        data_counts counts;
        for (std::size_t i = 0; i < telemetry_buffers::buffer_count; ++i) {
          const auto b = static_cast<buffer>(i);
          counts.emplace(telemetry_buffers::name(b), self->state.buffers->ring(b).size());
        }
        return counts;
      },
      [self](join_atom, pressure_sink& listener) {
        self->state.pressure_listeners.push_back(std::move(listener));
      },
      [self](tick_atom) {
        auto& state = self->state;
        state.watching = false;
        follow_pressure(self, state.buffers->pressure(), state.buffers->bytes(), nullptr);
      },
  };
}

} // namespace gasoline

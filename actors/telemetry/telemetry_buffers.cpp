#include "actors/telemetry/telemetry_buffers.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace gasoline {
namespace {

using buffer = telemetry_buffers::buffer;

constexpr std::string_view buffer_names[] = {
    "errors",           "logs",    "network_bodies", "network_waterfall",
    "websocket_events", "actions", "performance",    "ci"};

/// What an item costs in an answer beyond its texts: keys, quotes, time, numbers.
constexpr std::uint64_t item_overhead_bytes = 140;

std::vector<buffer> buffers_for(queried_events what) {
  switch (what) {
  case queried_events::errors:
    return {buffer::errors};
  case queried_events::logs:
    return {buffer::errors, buffer::logs};
  case queried_events::network_waterfall:
    return {buffer::network_waterfall};
  case queried_events::network_bodies:
    return {buffer::network_bodies};
  case queried_events::websocket_events:
    return {buffer::websocket_events};
  case queried_events::actions:
    return {buffer::actions};
  case queried_events::performance:
    return {buffer::performance};
  case queried_events::ci:
    return {buffer::ci};
  case queried_events::timeline:
  case queried_events::all:
    return {buffer::errors,           buffer::logs,
            buffer::network_bodies,   buffer::network_waterfall,
            buffer::websocket_events, buffer::actions,
            buffer::performance,      buffer::ci};
  }
  return {};
}

buffer buffer_of(const event& e) {
  switch (e.kind) {
  case telemetry_kind::log:
    return e.level == log_level::error ? buffer::errors : buffer::logs;
  case telemetry_kind::body:
    return buffer::network_bodies;
  case telemetry_kind::request:
    return buffer::network_waterfall;
  case telemetry_kind::socket:
    return buffer::websocket_events;
  case telemetry_kind::action:
    return buffer::actions;
  case telemetry_kind::load:
    return buffer::performance;
  case telemetry_kind::ci:
    return buffer::ci;
  }
  return buffer::logs;
}

bool contains(const redacted_text& text, const std::string& part) {
  return text.view().find(part) != std::string_view::npos;
}

bool passes(const event& e, const store_query& q) {
  if (q.origin && e.origin != *q.origin)
    return false;
  if (!q.service.empty() && e.service.view() != q.service)
    return false;
  if (q.min_level && e.level < *q.min_level && e.kind == telemetry_kind::log)
    return false;
  if (q.status_min && e.status != 0 && e.status < *q.status_min)
    return false;
  if (q.since && e.at < *q.since)
    return false;
  if (q.until && e.at > *q.until)
    return false;
  return q.url.empty() || contains(e.url, q.url) || contains(e.page, q.url);
}

bool is_filtered(const store_query& q) {
  return q.origin || !q.service.empty() || q.min_level || q.status_min || q.since || q.until ||
         !q.url.empty() || q.after_sequence > 0;
}

std::size_t identity(const event& e) {
  const std::hash<std::string_view> hash;
  std::size_t h = static_cast<std::size_t>(e.status) * 31 + static_cast<std::size_t>(e.kind);
  for (const auto* text : {&e.service, &e.name, &e.message, &e.url, &e.page, &e.stack, &e.fields})
    h = h * 1099511628211ULL + hash(text->view());
  return h;
}

bool same_result(const event& a, const event& b) {
  if (!a.ci || !b.ci)
    return a.ci == b.ci;
  return a.ci->status == b.ci->status && a.ci->source == b.ci->source && a.ci->ref == b.ci->ref &&
         a.ci->commit == b.ci->commit && a.ci->summary == b.ci->summary && a.ci->job == b.ci->job &&
         a.ci->word == b.ci->word && a.ci->attempt == b.ci->attempt;
}

bool is_identical(const event& a, const event& b) {
  return same_result(a, b) && a.duration_ms == b.duration_ms && a.kind == b.kind &&
         a.level == b.level && a.type == b.type && a.status == b.status && a.message == b.message &&
         a.url == b.url && a.name == b.name && a.page == b.page && a.stack == b.stack &&
         a.fields == b.fields && a.origin == b.origin && a.service == b.service;
}

std::uint64_t text_bytes(const event& e) {
  return e.service.size() + e.name.size() + e.message.size() + e.url.size() + e.page.size() +
         e.stack.size() + e.fields.size() + item_overhead_bytes;
}

/// Walks several rings as one sequence, newest first.
class backward_merge {
 public:
  void add(const event_ring& ring, std::uint64_t before) {
    const auto& events = ring.events();
    auto end = events.end();
    if (before > 0)
      end = std::lower_bound(events.begin(), events.end(), before,
                             [](const event_ptr& e, std::uint64_t n) { return e->sequence < n; });
    if (end != events.begin())
      cursors_.push_back({events.begin(), end});
  }

  /// The next older event, or null at the end.
  const event_ptr* next() {
    cursor* best = nullptr;
    for (auto& c : cursors_)
      if (c.end != c.begin && (!best || (*std::prev(c.end))->sequence > newest(*best)))
        best = &c;
    if (!best)
      return nullptr;
    --best->end;
    return &*best->end;
  }

 private:
  struct cursor {
    std::deque<event_ptr>::const_iterator begin;
    std::deque<event_ptr>::const_iterator end;
  };

  static std::uint64_t newest(const cursor& c) { return (*std::prev(c.end))->sequence; }

  std::vector<cursor> cursors_;
};

/// Adds the ring's matching and hidden events to the page's totals.
void count_matches(const event_ring& ring, const store_query& q, store_page& page) {
  if (!is_filtered(q)) {
    const auto hidden = q.include_noise ? 0 : ring.noise();
    page.noise_hidden += hidden;
    page.total += ring.size() - hidden;
    return;
  }
  for (const auto& e : ring.events()) {
    if (e->sequence <= q.after_sequence || !passes(*e, q))
      continue;
    const bool hidden = e->noise == noise_mark::noise && !q.include_noise;
    ++(hidden ? page.noise_hidden : page.total);
  }
}

/// Collects events into groups until the item limit or the text budget is used up.
class group_collector {
 public:
  group_collector(const store_query& q, store_page& page) : query_(q), page_(page) {}

  /// Takes one event; false when the page is full and the event belongs to the next one.
  bool take(const event_ptr& e) {
    auto& same = by_identity_[identity(*e)];
    for (const auto index : same)
      if (is_identical(*page_.groups[index].newest, *e)) {
        page_.groups[index].count += e->count;
        page_.groups[index].first_at = e->at;
        return true;
      }
    const auto cost = text_bytes(*e);
    const bool full = page_.groups.size() >= query_.limit ||
                      (!page_.groups.empty() && bytes_ + cost > query_.max_bytes);
    if (full)
      return false;
    bytes_ += cost;
    same.push_back(page_.groups.size());
    page_.groups.push_back({e, e->at, e->count});
    return true;
  }

 private:
  const store_query& query_;
  store_page& page_;
  std::uint64_t bytes_ = 0;
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_identity_;
};

} // namespace

telemetry_buffers::telemetry_buffers(
    const limits_of<detection_room, memory_room, store_room>& limit)
    : rings_{{
          {limit.store.error_entries, limit.store.error_bytes},
          {limit.store.log_entries, limit.store.log_bytes},
          {limit.store.body_entries, limit.store.body_bytes},
          {limit.store.waterfall_entries, limit.store.waterfall_bytes},
          {limit.store.websocket_entries, limit.store.websocket_bytes},
          {limit.store.action_entries, limit.store.action_bytes},
          {limit.store.performance_entries, limit.store.performance_bytes},
          {limit.detection.ci_results, limit.store.performance_bytes},
      }},
      limit_(limit) {}

void telemetry_buffers::append(event_ptr e) {
  auto& ring = rings_[static_cast<std::size_t>(buffer_of(*e))];
  ring.push(std::move(e));
}

std::uint64_t telemetry_buffers::bytes() const {
  std::uint64_t total = 0;
  for (const auto& r : rings_)
    total += r.bytes();
  return total;
}

std::string_view telemetry_buffers::name(buffer b) {
  return buffer_names[static_cast<std::size_t>(b)];
}

memory_pressure telemetry_buffers::pressure() const {
  const auto total = bytes();
  if (total > limit_.memory.critical_bytes)
    return memory_pressure::critical;
  if (total > limit_.memory.hard_bytes)
    return memory_pressure::hard;
  return total > limit_.memory.soft_bytes ? memory_pressure::soft : memory_pressure::normal;
}

void telemetry_buffers::set_halved(bool halved) {
  if (halved == halved_)
    return;
  halved_ = halved;
  for (auto& r : rings_)
    r.set_halved(halved);
}

void telemetry_buffers::evict_from_largest(std::uint64_t divisor) {
  auto& largest = *std::max_element(rings_.begin(), rings_.end(),
                                    [](auto& a, auto& b) { return a.bytes() < b.bytes(); });
  largest.evict(std::max<std::uint64_t>(1, largest.size() / divisor));
}

memory_pressure telemetry_buffers::relieve() {
  const auto found = pressure();
  switch (found) {
  case memory_pressure::normal:
    set_halved(false);
    break;
  case memory_pressure::soft:
    evict_from_largest(4);
    break;
  case memory_pressure::hard:
    evict_from_largest(2);
    break;
  case memory_pressure::critical:
    for (auto& r : rings_)
      r.evict(r.size());
    set_halved(true);
    break;
  }
  return found;
}

store_page telemetry_buffers::query(const store_query& q) const {
  store_page page;
  backward_merge page_walk;
  const auto buffers = buffers_for(q.what);
  for (const auto b : buffers) {
    const auto& r = ring(b);
    page.buffered += r.size();
    page.evicted += r.evicted();
    if (r.size() > 0)
      page.newest_sequence = std::max(page.newest_sequence, r.events().back()->sequence);
    page_walk.add(r, q.before_sequence);
    count_matches(r, q, page);
  }
  group_collector collector{q, page};
  std::uint64_t visits = 0;
  while (const auto* e = page_walk.next()) {
    if ((*e)->sequence <= q.after_sequence)
      break;
    const bool hidden = (*e)->noise == noise_mark::noise && !q.include_noise;
    if (hidden || !passes(**e, q))
      continue;
    // A flood of repeats must not make an answer slow; the cursor goes on behind them.
    if (++visits > limit_.store.visits || !collector.take(*e)) {
      page.next_cursor = (*e)->sequence + 1;
      break;
    }
  }
  if (q.what == queried_events::timeline)
    std::stable_sort(
        page.groups.begin(), page.groups.end(),
        [](const event_group& a, const event_group& b) { return a.newest->at > b.newest->at; });
  return page;
}

} // namespace gasoline

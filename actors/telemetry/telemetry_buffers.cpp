#include "actors/telemetry/telemetry_buffers.hpp"

#include "actors/base/part_search.hpp"
#include "actors/detection/fault/event_fields.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <string_view>
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
  case queried_events::faults:
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
  case queried_events::steps:
    return {buffer::network_bodies, buffer::network_waterfall, buffer::actions,
            buffer::performance};
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

/// The filters of a question, which must outlive it, as must the events that it has seen.
class question_filter {
 public:
  explicit question_filter(const store_query& q) : q_(q), in_url_(q.url), in_page_(q.url) {}

  bool passes(const event& e) {
    if (q_.origin && e.origin != *q_.origin)
      return false;
    if (!q_.service.empty() && e.service.view() != q_.service)
      return false;
    if (q_.min_level && e.level < *q_.min_level && e.kind == telemetry_kind::log)
      return false;
    if (q_.status_min && e.status != 0 && e.status < *q_.status_min)
      return false;
    if (q_.since && e.at < *q_.since)
      return false;
    if (q_.until && e.at > *q_.until)
      return false;
    return q_.url.empty() || in_url_.finds(e.url.view()) || in_page_.finds(e.page.view());
  }

 private:
  const store_query& q_;
  part_search in_url_;
  part_search in_page_;
};

bool is_filtered(const store_query& q) {
  return q.origin || !q.service.empty() || q.min_level || q.status_min || q.since || q.until ||
         !q.url.empty() || q.after_sequence > 0;
}

/// Members that tell one occurrence from the next, and say nothing of either.
constexpr std::array<std::string_view, 4> occurrence_marks{"page_id", "error_id", "request_id",
                                                           "trace_id"};

/// The members of an event that say something.
std::string telling_fields(const event& e) {
  std::string out;
  for_each_field(e.fields.view(), [&out](std::string_view name, std::string_view value) {
    if (std::find(occurrence_marks.begin(), occurrence_marks.end(), name) == occurrence_marks.end())
      out.append(name).append(1, ':').append(value).append(1, ',');
  });
  return out;
}

std::size_t identity(const event& e, std::string_view fields) {
  const std::hash<std::string_view> hash;
  std::size_t h = static_cast<std::size_t>(e.status) * 31 + static_cast<std::size_t>(e.kind);
  for (const auto* text : {&e.service, &e.name, &e.message, &e.url, &e.page, &e.stack})
    h = h * 1099511628211ULL + hash(text->view());
  return h * 1099511628211ULL + hash(fields);
}

bool same_result(const event& a, const event& b) {
  if (!a.ci || !b.ci)
    return a.ci == b.ci;
  return a.ci->status == b.ci->status && a.ci->source == b.ci->source && a.ci->ref == b.ci->ref &&
         a.ci->commit == b.ci->commit && a.ci->summary == b.ci->summary && a.ci->job == b.ci->job &&
         a.ci->word == b.ci->word && a.ci->attempt == b.ci->attempt;
}

/// But for their fields.
bool is_alike(const event& a, const event& b) {
  return same_result(a, b) && a.duration_ms == b.duration_ms && a.kind == b.kind &&
         a.level == b.level && a.type == b.type && a.status == b.status && a.message == b.message &&
         a.url == b.url && a.name == b.name && a.page == b.page && a.stack == b.stack &&
         a.origin == b.origin && a.service == b.service;
}

std::uint64_t text_bytes(const event& e) {
  return e.service.size() + e.name.size() + e.message.size() + e.url.size() + e.page.size() +
         e.stack.size() + e.fields.size() + item_overhead_bytes;
}

/// One event, or a run of errors, on the way back in time. What is passed over is not looked into.
struct stretch {
  const event_ptr* newest = nullptr;
  const fault_run* run = nullptr; ///< null: the event alone

  /// Occurrences.
  std::uint64_t count() const { return run ? run->count : (*newest)->count; }
  wall_time first_at() const { return run ? run->first_at : (*newest)->at; }
};

/// Walks one ring, newest first.
class backward_walk {
 public:
  backward_walk(const event_ring& ring, std::uint64_t before)
      : events_(&ring.events()),
        end_(before > 0 ? events_->count_before(before) : events_->size()),
        run_(ring.runs().rend()),
        runs_end_(run_) {
    note_newest();
  }

  /// Takes runs of errors at once from here on.
  void take_runs(const event_ring& ring) {
    run_ = ring.runs().rbegin();
    // Of the oldest, some may be gone.
    runs_end_ = run_ == runs_end_ ? run_ : std::prev(runs_end_);
  }

  bool at_end() const { return end_ == 0; }
  std::uint64_t newest() const { return newest_; }

  /// The next older event or run; not at the end.
  stretch next() {
    const auto& e = (*events_)[end_ - 1];
    const auto* run = run_ == runs_end_ ? nullptr : run_ending_at(e->sequence);
    end_ -= run ? static_cast<std::size_t>(run->events) : 1;
    note_newest();
    return {&e, run};
  }

 private:
  const fault_run* run_ending_at(std::uint64_t sequence) {
    while (run_ != runs_end_ && run_->newest->sequence > sequence)
      ++run_;
    return run_ != runs_end_ && run_->newest->sequence == sequence ? &*run_ : nullptr;
  }

  // Looked up once: events lie far apart in memory.
  void note_newest() { newest_ = at_end() ? 0 : (*events_)[end_ - 1]->sequence; }

  std::uint64_t newest_ = 0;
  const event_sequence* events_;
  std::size_t end_; ///< before this place it goes on
  std::deque<fault_run>::const_reverse_iterator run_;
  std::deque<fault_run>::const_reverse_iterator runs_end_;
};

/// Walks several rings as one sequence, newest first.
class backward_merge {
 public:
  void add(const backward_walk& walk) {
    if (!walk.at_end())
      walks_.push_back(walk);
  }

  /// The next older stretch; that of no event at the end.
  stretch next() {
    backward_walk* best = nullptr;
    for (auto& walk : walks_)
      if (!walk.at_end() && (!best || walk.newest() > best->newest()))
        best = &walk;
    return best ? best->next() : stretch{};
  }

 private:
  std::vector<backward_walk> walks_;
};

/// Adds the ring's matching and hidden events to the page's totals.
void count_matches(const event_ring& ring, const store_query& q, question_filter& filter,
                   store_page& page) {
  if (!is_filtered(q)) {
    const auto hidden = q.include_noise ? 0 : ring.noise();
    page.noise_hidden += hidden;
    page.total += ring.size() - hidden;
    return;
  }
  const auto& events = ring.events();
  for (auto i = events.count_before(q.after_sequence + 1); i < events.size(); ++i) {
    const auto& e = *events[i];
    if (!filter.passes(e))
      continue;
    const bool hidden = e.noise == noise_mark::noise && !q.include_noise;
    ++(hidden ? page.noise_hidden : page.total);
  }
}

/// What makes events one item of an answer.
enum class sameness : std::uint8_t {
  texts,
  telling, ///< texts, but for occurrence_marks
  fault,
  none
};

sameness sameness_for(const store_query& q, const event& e) {
  if (q.what == queried_events::steps)
    return sameness::none;
  if (q.what == queried_events::faults && !e.fault.empty())
    return sameness::fault;
  return q.joins_loads ? sameness::telling : sameness::texts;
}

/// What two events are compared by; equal for those that are the same.
std::size_t hash_of(const event& e, sameness by) {
  switch (by) {
  case sameness::texts:
    return identity(e, e.fields.view());
  case sameness::telling:
    return identity(e, telling_fields(e));
  case sameness::fault:
    return std::hash<std::string_view>{}(e.fault.view());
  case sameness::none:
    break;
  }
  return 0;
}

bool is_same_fault(const event& a, const event& b) {
  return a.fault == b.fault && a.service == b.service;
}

bool is_same(const event& a, const event& b, sameness by) {
  switch (by) {
  case sameness::texts:
    return is_alike(a, b) && a.fields == b.fields;
  case sameness::telling:
    return is_alike(a, b) && telling_fields(a) == telling_fields(b);
  case sameness::fault:
    return is_same_fault(a, b);
  case sameness::none:
    break;
  }
  return false;
}

/// Notes on which other pages a fault was seen.
void note_page(event_group& group, const event_ptr& e) {
  constexpr std::size_t most_pages = 16;
  const auto& page = page_address(*e);
  const auto is_there = [&page](const event_ptr& other) { return page_address(*other) == page; };
  auto& others = group.others;
  if (!page.empty() && !is_there(group.newest) && others.size() < most_pages &&
      std::none_of(others.begin(), others.end(), is_there))
    others.push_back(e);
}

/// Collects events into groups until the item limit or the text budget is used up.
class group_collector {
 public:
  group_collector(const store_query& q, store_page& page) : query_(q), page_(page) {
    constexpr std::uint64_t usual_groups = 128;
    const auto expected = std::min(q.limit, usual_groups);
    page.groups.reserve(expected);
    known_.reserve(expected);
  }

  /// Takes a stretch; false when the page is full and it belongs to the next one.
  bool take(const stretch& s) {
    const auto& e = *s.newest;
    const auto by = sameness_for(query_, *e);
    const bool goes_on = by == sameness::fault && is_of_last_fault(*e);
    const auto hash = goes_on ? 0 : hash_of(*e, by);
    if (goes_on || find(hash, *e, by)) {
      join(page_.groups[last_], s, by);
      return true;
    }
    const auto cost = text_bytes(*e);
    const bool full = page_.groups.size() >= query_.limit ||
                      (!page_.groups.empty() && bytes_ + cost > query_.max_bytes);
    if (full)
      return false;
    bytes_ += cost;
    last_ = page_.groups.size();
    if (by != sameness::none)
      known_.emplace(hash, last_);
    page_.groups.push_back({e, s.first_at(), s.count()});
    return true;
  }

 private:
  static void join(event_group& group, const stretch& s, sameness by) {
    group.count += s.count();
    group.first_at = std::min(group.first_at, s.first_at());
    if (by == sameness::fault)
      note_page(group, *s.newest);
  }

  /// Floods are of one fault.
  bool is_of_last_fault(const event& e) const {
    return last_ < page_.groups.size() && is_same_fault(*page_.groups[last_].newest, e);
  }

  /// Whether there is a group for the event; it is the last one then.
  bool find(std::size_t hash, const event& e, sameness by) {
    const auto [begin, end] = known_.equal_range(hash);
    const auto same = std::find_if(begin, end, [&](const auto& known) {
      return is_same(*page_.groups[known.second].newest, e, by);
    });
    if (same == end)
      return false;
    last_ = same->second;
    return true;
  }

  const store_query& query_;
  store_page& page_;
  std::uint64_t bytes_ = 0;
  std::size_t last_ = 0; ///< the group that was added to last
  std::unordered_multimap<std::size_t, std::size_t> known_;
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

event_snapshot telemetry_buffers::share() {
  event_snapshot out;
  for (auto& r : rings_) {
    r.share(out);
    out.evicted += r.evicted();
  }
  return out;
}

store_page telemetry_buffers::query(const store_query& q) const {
  store_page page;
  question_filter filter{q};
  backward_merge page_walk;
  const auto buffers = buffers_for(q.what);
  for (const auto b : buffers) {
    const auto& r = ring(b);
    page.buffered += r.size();
    page.evicted += r.evicted();
    if (r.size() > 0)
      page.newest_sequence = std::max(page.newest_sequence, r.events().back()->sequence);
    backward_walk walk{r, q.before_sequence};
    if (q.what == queried_events::faults && !is_filtered(q))
      walk.take_runs(r);
    page_walk.add(walk);
    count_matches(r, q, filter, page);
  }
  group_collector collector{q, page};
  std::uint64_t visits = 0;
  for (auto s = page_walk.next(); s.newest; s = page_walk.next()) {
    const auto& e = **s.newest;
    if (e.sequence <= q.after_sequence)
      break;
    const bool hidden = e.noise == noise_mark::noise && !q.include_noise;
    if (hidden || !filter.passes(e))
      continue;
    // A flood of repeats must not make an answer slow; the cursor goes on behind them.
    if (++visits > limit_.store.visits || !collector.take(s)) {
      page.next_cursor = e.sequence + 1;
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

#include "actors/resolution/followed_faults.hpp"

#include "actors/detection/direct_alert.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/detection/fault/logged_fault.hpp"
#include "actors/resolution/deed_words.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using std::chrono::milliseconds;

/// What a page did just before its fault may arrive just after it.
constexpr milliseconds settling{500};
/// What comes after a trial has ended may still be under way.
constexpr milliseconds delivery{1'000};
constexpr std::size_t most_actions = 64;
constexpr std::size_t most_requests = 128;
constexpr std::size_t most_names = 64;
constexpr std::size_t most_sent_bytes = 4096;
constexpr std::uint32_t most_clean = 50;

/// Whether a success of the same request would say that nothing is wrong any more: who is not
/// logged in, or has typed something else, asks the same again and is answered.
bool depends_on_who_asks(const event& e) {
  if (!is_request(e) || e.status < 400 || e.status >= 500)
    return false;
  const auto method = method_of(e);
  return e.status == 401 || e.status == 403 || !(method.empty() || method.view() == "GET");
}

/// Builds and sockets are told to be well again by those who watch them.
bool is_followed(const event& e) {
  return e.kind != telemetry_kind::socket && e.noise == noise_mark::none &&
         e.build != build_state::failed && logged_fault_in(e) != logged_fault::build &&
         !depends_on_who_asks(e);
}

bool is_large(const event& e) {
  return e.kind == telemetry_kind::body && e.fields.size() > most_sent_bytes;
}

/// What is kept of a request: all but long bodies.
event_ptr slim(const event_ptr& e) {
  if (e->stack.empty() && !is_large(*e))
    return e;
  auto out = std::make_shared<event>(*e);
  out->stack = {};
  if (is_large(*e)) {
    out->fields = {};
    out->page_id = page_id_place(*out);
  }
  return out;
}

/// How often a fault has to stay away before chance does not explain it: that it stays away so
/// often must be rarer than one time in twenty.
std::uint32_t needed_clean(std::uint32_t with, std::uint32_t without) {
  if (without == 0)
    return 1;
  const double away = static_cast<double>(without) / (with + without);
  return static_cast<std::uint32_t>(
      std::clamp(std::ceil(std::log(0.05) / std::log(away)), 1.0, double{most_clean}));
}

} // namespace

followed_faults::followed_faults(const limits_of<alert_room, detection_room>& limit)
    : limit_(limit), names_(limit), actions_(most_actions), requests_(most_requests) {}

void followed_faults::remember(const event_ptr& e) {
  if (e->kind == telemetry_kind::action)
    actions_.add(e);
  else if (is_kept_request(*e))
    requests_.add(slim(e));
}

void followed_faults::take(const event_ptr& e, bool is_first, mono_time now) {
  look_up_triggers(now);
  if (is_first && documents_.take(*e) != known_documents::news::none)
    note_deed(load_key(page_of(*e)), e->at, now);
  if (e->noise == noise_mark::noise)
    return;
  remember(e);
  if (const auto known = names_.size(); const auto* named = names_.of(*e)) {
    if (names_.size() > known)
      named_.push_back(e);
    if (named->raises_alert && is_followed(*e))
      note_fault(e, *named, now);
  } else if (names_.size() > known) {
    named_.push_back(e);
  }
  if (named_.size() > most_names) {
    names_ = fault_names{limit_};
    named_.clear();
  }
  if (!needs_.empty())
    for (const auto key : event_deeds{*e, target_of(*e, routes_ > 0)})
      note_deed(key, e->at, now);
}

void followed_faults::note_fault(const event_ptr& e, const named_fault& named, mono_time now) {
  if (faults_.find(named.key) == faults_.end()) {
    auto told = direct_alert(*e, limit_);
    if (!told || told->level == severity::info || told->dedup_key.empty())
      return;
    if (faults_.size() >= limit_.detection.followed_faults)
      forget_oldest();
    auto& added = faults_[named.key];
    added.told = std::move(*told);
    added.first_seen = now;
    added.page = page_of(*e);
  }
  auto& f = faults_[named.key];
  // A flood is one occasion.
  if (f.with == 0 || now - f.last_seen > settling + delivery) {
    end_trials_beside(f, now);
    ++f.with;
    f.without += f.clean;
    f.clean = 0;
  }
  if (!f.newest)
    fresh_.push_back(named.key);
  f.newest = is_large(*e) ? slim(e) : e;
  f.last_at = std::max(e->at, f.last_at);
  f.last_seen = now;
  f.due_at.reset();
  f.resolved = false;
  ++f.round;
  unindex(named.key);
  f.ways.clear();
}

// A fault that was not there before may have come in place of one that is being tried.
void followed_faults::end_trials_beside(const followed& newer, mono_time now) {
  for (auto& [key, f] : faults_) {
    if (newer.page.empty() || f.page != newer.page || f.last_seen >= newer.first_seen)
      continue;
    for (auto& w : f.ways)
      std::fill(w.seen.begin(), w.seen.end(), std::nullopt);
    if (f.due_at && *f.due_at > now)
      f.due_at.reset();
  }
}

void followed_faults::look_up_triggers(mono_time now) {
  if (fresh_.empty() || now < look_up_at_)
    return;
  look_up_at_ = now + settling / 5;
  const deed_history past{actions_.in_order(), requests_.in_order()};
  std::erase_if(fresh_, [&](const std::string& key) {
    const auto found = faults_.find(key);
    if (found == faults_.end() || !found->second.newest)
      return true;
    auto& f = found->second;
    if (now - f.last_seen < settling)
      return false;
    const auto began = documents_.began(page_id_of(*f.newest));
    for (auto& trigger : triggers_of(*f.newest, past, began))
      if (const auto needs = trigger.needs.size(); needs > 0)
        f.ways.push_back({std::move(trigger), std::vector<std::optional<mono_time>>(needs)});
    f.newest = nullptr;
    index(key, f);
    return true;
  });
}

void followed_faults::index(const std::string& key, const followed& f) {
  for (std::size_t w = 0; w < f.ways.size(); ++w)
    for (std::size_t n = 0; n < f.ways[w].trigger.needs.size(); ++n) {
      const auto& need = f.ways[w].trigger.needs[n];
      needs_.emplace(need.key, indexed_need{key, w, n, false});
      if (need.quiet != 0)
        needs_.emplace(need.quiet, indexed_need{key, w, n, true});
      routes_ += need.is_route ? 1 : 0;
    }
}

void followed_faults::unindex(const std::string& key) {
  const auto found = faults_.find(key);
  if (found == faults_.end())
    return;
  for (const auto& w : found->second.ways)
    for (const auto& need : w.trigger.needs) {
      routes_ -= need.is_route ? 1 : 0;
      for (const auto wanted : {need.key, need.quiet}) {
        const auto [begin, end] = needs_.equal_range(wanted);
        const auto place =
            std::find_if(begin, end, [&](const auto& row) { return row.second.key == key; });
        if (place != end)
          needs_.erase(place);
      }
    }
}

void followed_faults::note_deed(deed_key key, wall_time at, mono_time now) {
  const auto [begin, end] = needs_.equal_range(key);
  for (auto row = begin; row != end; ++row) {
    auto& f = faults_.at(row->second.key);
    if (f.due_at || f.resolved || at <= f.last_at)
      continue;
    auto& w = f.ways[row->second.way];
    w.seen[row->second.need] = now;
    if (std::any_of(w.seen.begin(), w.seen.end(), [](const auto& seen) { return !seen; }))
      continue;
    f.tried = **std::max_element(w.seen.begin(), w.seen.end());
    const bool at_once = w.trigger.at_once && !row->second.quiet;
    f.due_at = at_once ? now : now + w.trigger.delay + trigger_grace + delivery;
    f.proof.clear();
    for (const auto& need : w.trigger.needs)
      f.proof += (f.proof.empty() ? "" : ", and ") + need.done;
  }
}

std::optional<mono_time> followed_faults::next() const {
  std::optional<mono_time> out;
  for (const auto& [key, f] : faults_)
    if (f.due_at)
      out = out ? std::min(*out, *f.due_at) : *f.due_at;
  return out;
}

std::vector<clean_trial> followed_faults::due(mono_time now) {
  std::vector<clean_trial> out;
  for (auto& [key, f] : faults_) {
    if (!f.due_at || *f.due_at > now)
      continue;
    out.push_back({key, f.round, f.told, f.proof, f.last_seen, f.tried});
    f.due_at.reset();
    for (auto& w : f.ways)
      std::fill(w.seen.begin(), w.seen.end(), std::nullopt);
  }
  return out;
}

bool followed_faults::settle(const clean_trial& trial, bool changed) {
  const auto found = faults_.find(trial.key);
  if (found == faults_.end() || found->second.round != trial.round || found->second.resolved)
    return false;
  auto& f = found->second;
  if (!changed) {
    ++f.without;
    return false;
  }
  ++f.clean;
  if (f.clean < needed_clean(f.with, f.without))
    return false;
  f.resolved = true;
  unindex(trial.key);
  f.ways.clear();
  return true;
}

void followed_faults::forget_oldest() {
  const auto oldest =
      std::min_element(faults_.begin(), faults_.end(), [](const auto& a, const auto& b) {
        return a.second.last_seen < b.second.last_seen;
      });
  unindex(oldest->first);
  faults_.erase(oldest);
}

} // namespace gasoline

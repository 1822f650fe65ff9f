#include "actors/alerts/alert_log.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gasoline {
namespace {

// What comes so often and without a pause comes from a timer or a loop: one fault, however long it
// lasts.
constexpr std::uint64_t occurrences_of_a_loop = 10;
constexpr std::chrono::seconds pause_of_a_loop{2};

} // namespace

alert_log::alert_log(const limits_of<alert_room>& limit) : capacity_(limit.alert.buffer_entries) {}

void alert_log::append(const alert_ptr& a) {
  ++appended_;
  auto key = merge_key(*a);
  remove_effects(*a);
  if (a->update) {
    if (auto* known = newest_entry(key))
      known->alert.merge(a);
    return;
  }
  auto* open = open_entry(key);
  if (!open)
    open = lasting_entry(key, a->raised);
  if (open) {
    open->alert.merge(a);
    ++merged_;
    return;
  }
  if (entries_.size() >= capacity_)
    evict_oldest();
  ++last_serial_;
  by_key_[key] = last_serial_;
  entries_.push_back({merged_alert{a}, std::move(key), last_serial_, false});
}

std::vector<merged_alert> alert_log::all() const {
  std::vector<merged_alert> out;
  out.reserve(entries_.size());
  for (const auto& e : entries_)
    if (!e.gone)
      out.push_back(e.alert);
  return out;
}

const merged_alert* alert_log::newest(const std::string& key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr
                                : &entries_[found->second - entries_.front().serial].alert;
}

const merged_alert* alert_log::find(std::uint64_t id) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const entry& e) { return e.alert.id == id && !e.gone; });
  return found == entries_.end() ? nullptr : &found->alert;
}

void alert_log::close(std::uint64_t id) {
  for (auto& e : entries_)
    if (e.alert.id == id)
      e.closed = true;
}

alert_log::entry* alert_log::newest_entry(const std::string& key) {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &entries_[found->second - entries_.front().serial];
}

alert_log::entry* alert_log::open_entry(const std::string& key) {
  auto* newest = newest_entry(key);
  return newest && !newest->closed ? newest : nullptr;
}

alert_log::entry* alert_log::lasting_entry(const std::string& key, mono_time now) {
  auto* newest = newest_entry(key);
  const bool lasts = newest && !newest->gone && newest->alert.count >= occurrences_of_a_loop &&
                     now - newest->alert.last_raised < pause_of_a_loop;
  return lasts ? newest : nullptr;
}

void alert_log::remove_effects(const alert& cause) {
  for (const auto& key : cause.effects)
    if (auto* effect = open_entry(key.str())) {
      effect->gone = true;
      by_key_.erase(key.str());
    }
}

void alert_log::evict_oldest() {
  const auto& oldest = entries_.front();
  if (!oldest.closed && !oldest.gone)
    ++evicted_unread_;
  if (const auto found = by_key_.find(oldest.key);
      found != by_key_.end() && found->second == oldest.serial)
    by_key_.erase(found);
  entries_.pop_front();
}

} // namespace gasoline

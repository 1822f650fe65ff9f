#include "actors/alerts/alert_log.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {

alert_log::alert_log(const limits& limit) : capacity_(limit.alert.buffer_entries) {}

void alert_log::append(const alert_ptr& a) {
  auto key = merge_key(*a);
  remove_effects(*a);
  if (a->update) {
    if (auto* known = newest_entry(key))
      known->alert.merge(a);
    return;
  }
  if (auto* open = open_entry(key)) {
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

std::vector<merged_alert> alert_log::unread(client_id client) const {
  const auto found = clients_.find(client);
  if (found == clients_.end())
    return all();
  const auto& [position, left] = found->second;
  std::vector<merged_alert> out;
  for (const auto& e : entries_)
    if (!e.gone && (e.serial > position || left.count(e.serial) > 0))
      out.push_back(e.alert);
  return out;
}

void alert_log::mark_read(client_id client, const std::vector<std::uint64_t>& still_unread) {
  auto& state = clients_[client];
  std::unordered_set<std::uint64_t> left;
  for (auto& e : entries_) {
    const bool was_read = e.serial <= state.position && state.left.count(e.serial) == 0;
    if (was_read)
      continue;
    if (std::find(still_unread.begin(), still_unread.end(), e.alert.id) != still_unread.end())
      left.insert(e.serial);
    else
      e.read = true;
  }
  state.position = last_serial_;
  state.left = std::move(left);
}

void alert_log::mark_told(client_id client, const told_alerts& told) {
  auto& state = clients_[client];
  const auto was_told = [&](const merged_alert& m) {
    return std::any_of(told.alerts.begin(), told.alerts.end(), [&](const told_alerts::one& t) {
      return t.id == m.id && t.count == m.count;
    });
  };
  std::unordered_set<std::uint64_t> left;
  for (auto& e : entries_) {
    if (e.serial <= state.position && state.left.count(e.serial) == 0)
      continue;
    if (was_told(e.alert))
      e.read = true;
    else
      left.insert(e.serial);
  }
  state.position = last_serial_;
  state.left = std::move(left);
}

void alert_log::mark_unread(client_id client, const std::vector<std::uint64_t>& ids) {
  const auto found = clients_.find(client);
  if (found == clients_.end())
    return;
  auto& [position, left] = found->second;
  for (const auto& e : entries_)
    if (e.serial <= position && std::find(ids.begin(), ids.end(), e.alert.id) != ids.end())
      left.insert(e.serial);
}

void alert_log::forget(client_id client) {
  clients_.erase(client);
}

alert_log::entry* alert_log::newest_entry(const std::string& key) {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &entries_[found->second - entries_.front().serial];
}

alert_log::entry* alert_log::open_entry(const std::string& key) {
  auto* newest = newest_entry(key);
  return newest && !newest->read ? newest : nullptr;
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
  if (!oldest.read && !oldest.gone)
    ++evicted_unread_;
  if (const auto found = by_key_.find(oldest.key);
      found != by_key_.end() && found->second == oldest.serial)
    by_key_.erase(found);
  entries_.pop_front();
}

} // namespace gasoline

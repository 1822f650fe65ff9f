#include "actors/alerts/shown_ledger.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace gasoline {
namespace {

std::size_t fault_of(const alert& a) {
  return std::hash<std::string>{}(merge_key(a));
}

std::size_t index_of(shown_channel by) {
  return static_cast<std::size_t>(by);
}

} // namespace

const shown_ledger::history* shown_ledger::history_of(reader_id reader) const {
  const auto found = readers_.find(reader);
  return found == readers_.end() ? nullptr : &found->second;
}

std::optional<shown_ledger::record> shown_ledger::find(reader_id reader,
                                                       std::uint64_t alert) const {
  const auto* h = history_of(reader);
  if (!h)
    return std::nullopt;
  const auto found = h->alerts.find(alert);
  return found == h->alerts.end() ? std::nullopt : found->second;
}

bool shown_ledger::is_read(reader_id reader, std::uint64_t alert) const {
  const auto* h = history_of(reader);
  return h && h->alerts.count(alert) > 0;
}

bool shown_ledger::knows(reader_id reader, const merged_alert& m) const {
  const auto* h = history_of(reader);
  if (!h)
    return false;
  const auto fault = h->faults.find(fault_of(*m.shown));
  if (fault != h->faults.end())
    return fault->second.level >= m.shown->level;
  return h->alerts.count(m.id) > 0;
}

void shown_ledger::prune(history& h) const {
  h.alerts.erase(h.alerts.begin(), h.alerts.lower_bound(oldest_));
}

void shown_ledger::learn(history& h, std::size_t fault, known_fault known) const {
  const auto [row, added] = h.faults.try_emplace(fault, known);
  if (!added) {
    if (row->second.level < known.level)
      row->second = known;
    return;
  }
  h.faults_by_age.push_back(fault);
  if (h.faults_by_age.size() <= most_faults_)
    return;
  h.faults.erase(h.faults_by_age.front());
  h.faults_by_age.pop_front();
}

void shown_ledger::note_shown(reader_id reader, const merged_alert& m, shown_channel by,
                              mono_time now) {
  auto& h = readers_[reader];
  prune(h);
  learn(h, fault_of(*m.shown), {m.shown->level, m.id});
  const auto [row, added] = h.alerts.try_emplace(m.id, record{by, now});
  if (added)
    ++h.counts[index_of(by)];
}

void shown_ledger::note_passed(reader_id reader, std::uint64_t alert) {
  auto& h = readers_[reader];
  prune(h);
  h.alerts.try_emplace(alert, std::nullopt);
}

void shown_ledger::note_sent(reader_id reader, std::uint64_t alerts) {
  readers_[reader].sent += alerts;
}

void shown_ledger::take_back(reader_id reader, const merged_alert& m) {
  const auto found = readers_.find(reader);
  if (found == readers_.end())
    return;
  auto& h = found->second;
  if (const auto row = h.alerts.find(m.id); row != h.alerts.end()) {
    if (row->second)
      --h.counts[index_of(row->second->by)];
    h.alerts.erase(row);
  }
  const auto fault = h.faults.find(fault_of(*m.shown));
  if (fault == h.faults.end() || fault->second.alert != m.id)
    return;
  h.faults_by_age.erase(std::find(h.faults_by_age.begin(), h.faults_by_age.end(), fault->first));
  h.faults.erase(fault);
}

void shown_ledger::end_fault(const std::string& key) {
  const auto ended = std::hash<std::string>{}(key);
  for (auto& [reader, h] : readers_)
    if (h.faults.erase(ended) > 0)
      std::erase(h.faults_by_age, ended);
}

void shown_ledger::forget_shown(reader_id reader) {
  const auto found = readers_.find(reader);
  if (found == readers_.end())
    return;
  auto& h = found->second;
  std::erase_if(h.alerts, [](const auto& row) { return row.second.has_value(); });
  h.faults.clear();
  h.faults_by_age.clear();
}

void shown_ledger::join(reader_id from, reader_id into) {
  const auto found = readers_.find(from);
  if (from == into || found == readers_.end())
    return;
  const auto gone = std::move(found->second);
  readers_.erase(found);
  auto& h = readers_[into];
  h.sent += gone.sent;
  for (const auto& [id, shown] : gone.alerts)
    if (h.alerts.try_emplace(id, shown).second && shown)
      ++h.counts[index_of(shown->by)];
  for (const auto fault : gone.faults_by_age)
    learn(h, fault, gone.faults.at(fault));
}

shown_ledger::channel_counts shown_ledger::shown(reader_id reader) const {
  const auto* h = history_of(reader);
  return h ? h->counts : channel_counts{};
}

std::uint64_t shown_ledger::sent(reader_id reader) const {
  const auto* h = history_of(reader);
  return h ? h->sent : 0;
}

} // namespace gasoline

#include "actors/push/push_throttle.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using namespace std::chrono_literals;

/// A reader sees two lines a little closer together than they were written. The cap holds for what
/// is read, so its window is that much wider.
constexpr auto reading_jitter = 50ms;

/// As long as an engine lives.
constexpr auto ever = 24h * 365;

std::chrono::milliseconds ms(std::uint64_t n) {
  return std::chrono::milliseconds{n};
}

bool lets_through(level_floor floor, severity level) {
  switch (floor) {
  case level_floor::info:
    return true;
  case level_floor::warning:
    return level >= severity::warning;
  case level_floor::error:
    return level >= severity::error;
  case level_floor::silent:
    return false;
  }
  return true;
}

/// The filter by URL applies where a URL is what the event is about.
bool has_meaningful_url(alert_topic kind) {
  return kind == alert_topic::network_errors || kind == alert_topic::performance ||
         kind == alert_topic::security;
}

bool passes_events(const push_config& config, const alert& a) {
  return std::any_of(config.events.begin(), config.events.end(),
                     [&](event_filter f) { return matches(f, a.category, a.kind); });
}

bool passes_url(const push_config& config, const alert& a) {
  if (config.url.empty() || !has_meaningful_url(a.kind))
    return true;
  return a.url.view().find(config.url) != std::string_view::npos;
}

/// Captured headers are the bulk of an alert.
alert_ptr without_context(const alert_ptr& a) {
  if (!a->context)
    return a;
  auto slim = std::make_shared<alert>(*a);
  slim->context.reset();
  return slim;
}

/// The key of the alert that tells the end of the fault with that key.
std::string end_of(const std::string& key) {
  return "end:" + key;
}

bool is_worse(const merged_alert& a, const merged_alert& b) {
  return a.shown->level > b.shown->level;
}

} // namespace

push_throttle::push_throttle(const limits_of<push_room>& limit)
    : limit_(limit),
      told_(limit.push.dedup_entries, ms(limit.push.dedup_ms)),
      told_faults_(limit.push.dedup_entries, ever),
      rate_(limit.push.per_minute, 1min + reading_jitter) {
  clear_counters();
}

push_throttle::decision push_throttle::offer(const alert_ptr& a, mono_time now) {
  if (!config_.enabled)
    return {};
  if (a->update) {
    take_effects(*a, now);
    if (update_pending(a) || !is_awaited_end(*a))
      return next_step(now);
  }
  if (const auto filter = held_back_by(*a); !filter.empty()) {
    ++suppressed_by_.find(filter)->second;
    return next_step(now);
  }
  auto key = a->ends.empty() ? merge_key(*a) : end_of(a->ends.str());
  drop_untold_end(key);
  if (take_effects(*a, now))
    told_.remember(key, now);
  if (is_repeat(key, a, now))
    ++deduplicated_;
  else if (pending_.size() >= limit_.push.pending && !drop_less_severe(*a))
    ++dropped_;
  else
    add_pending(std::move(key), a);
  return next_step(now);
}

push_throttle::decision push_throttle::due(mono_time now) {
  return next_step(now);
}

push_throttle::decision push_throttle::enable(push_config config, mono_time now) {
  config_ = std::move(config);
  config_.enabled = true;
  clear_counters();
  refilter_pending();
  return next_step(now);
}

push_status push_throttle::disable() {
  const auto cleared = pending_.size();
  config_.enabled = false;
  pending_.clear();
  pending_.shrink_to_fit();
  head_ = 0;
  told_.clear();
  told_faults_.clear();
  last_emission_.reset();
  clear_counters();
  auto answer = status();
  answer.pending_cleared = cleared;
  return answer;
}

void push_throttle::reset() {
  disable();
  config_ = {};
  level_ = level_floor::info;
}

push_throttle::decision push_throttle::set_level(level_floor level, mono_time now) {
  level_ = level;
  refilter_pending();
  return next_step(now);
}

push_throttle::decision push_throttle::set_congested(bool congested, mono_time now) {
  congested_ = congested;
  return next_step(now);
}

push_status push_throttle::status() const {
  push_status s;
  s.config = config_;
  s.notify_count = notify_count_;
  s.pending = pending_.size();
  s.dropped = dropped_;
  s.deduplicated = deduplicated_;
  s.suppressed_by.insert(suppressed_by_.begin(), suppressed_by_.end());
  return s;
}

std::string_view push_throttle::held_back_by(const alert& a) const {
  if (!passes_events(config_, a))
    return "events";
  if (a.level < config_.severity_min && !is_awaited_end(a))
    return "severity";
  if (!passes_url(config_, a))
    return "url";
  if (!lets_through(level_, a.level))
    return "level";
  return {};
}

bool push_throttle::is_awaited_end(const alert& a) const {
  if (a.ends.empty())
    return false;
  const auto key = a.ends.view();
  return told_faults_.holds(key) ||
         std::any_of(pending_.begin(), pending_.end(),
                     [&](const pending_alert& p) { return p.key == key; });
}

std::vector<push_throttle::pending_alert>::iterator
push_throttle::pending_twin(std::string_view key) {
  return std::find_if(pending_.begin(), pending_.end(),
                      [&](const pending_alert& p) { return p.key == key; });
}

bool push_throttle::update_pending(const alert_ptr& a) {
  const auto twin = pending_twin(merge_key(*a));
  if (twin == pending_.end())
    return false;
  twin->alert.merge(a);
  shed_contexts(static_cast<std::size_t>(std::distance(pending_.begin(), twin)));
  return true;
}

bool push_throttle::take_effects(const alert& cause, mono_time now) {
  bool told = false;
  for (const auto& effect : cause.effects) {
    told = told || told_.seen(effect.view(), now);
    if (const auto twin = pending_twin(effect.view()); twin != pending_.end()) {
      erase_pending(twin);
      ++deduplicated_;
    }
  }
  return told;
}

void push_throttle::drop_untold_end(const std::string& key) {
  const auto ended = std::find_if(pending_.begin(), pending_.end(), [&](const pending_alert& p) {
    return p.alert.shown->ends.view() == key;
  });
  if (ended == pending_.end())
    return;
  erase_pending(ended);
  ++deduplicated_;
}

void push_throttle::erase_pending(std::vector<pending_alert>::iterator one) {
  pending_.erase(one);
  find_head();
}

bool push_throttle::drop_less_severe(const alert& a) {
  const auto least = std::min_element(
      pending_.begin(), pending_.end(),
      [](const pending_alert& x, const pending_alert& y) { return is_worse(y.alert, x.alert); });
  if (least == pending_.end() || least->alert.shown->level >= a.level)
    return false;
  erase_pending(least);
  ++dropped_;
  return true;
}

bool push_throttle::is_repeat(const std::string& key, const alert_ptr& a, mono_time now) {
  const auto twin = pending_twin(key);
  if (twin == pending_.end())
    return told_.seen(key, now);
  twin->alert.merge(a);
  shed_contexts(static_cast<std::size_t>(std::distance(pending_.begin(), twin)));
  return true;
}

void push_throttle::add_pending(std::string key, const alert_ptr& a) {
  pending_.push_back({merged_alert{a}, std::move(key)});
  shed_contexts(pending_.size() - 1);
}

/// Only the worst alert of a batch is told with its context; the others need not hold theirs.
void push_throttle::shed_contexts(std::size_t changed) {
  if (changed == head_)
    return;
  if (is_worse(pending_[changed].alert, pending_[head_].alert))
    std::swap(changed, head_);
  auto& shown = pending_[changed].alert.shown;
  shown = without_context(shown);
}

void push_throttle::refilter_pending() {
  const auto held_back = [this](const pending_alert& p) {
    const auto filter = held_back_by(*p.alert.shown);
    if (filter.empty())
      return false;
    ++suppressed_by_.find(filter)->second;
    return true;
  };
  pending_.erase(std::remove_if(pending_.begin(), pending_.end(), held_back), pending_.end());
  find_head();
}

void push_throttle::find_head() {
  const auto worst = std::max_element(
      pending_.begin(), pending_.end(),
      [](const pending_alert& a, const pending_alert& b) { return is_worse(b.alert, a.alert); });
  head_ = static_cast<std::size_t>(std::distance(pending_.begin(), worst));
}

void push_throttle::clear_counters() {
  notify_count_ = 0;
  dropped_ = 0;
  deduplicated_ = 0;
  suppressed_by_ = {{"events", 0}, {"severity", 0}, {"url", 0}, {"level", 0}};
}

mono_time push_throttle::earliest_emission(mono_time now) const {
  const auto free = rate_.next_free(now);
  if (!last_emission_)
    return free;
  const auto gap =
      std::max<std::chrono::milliseconds>(config_.throttle, ms(limit_.push.batch_window_ms));
  return std::max(free, *last_emission_ + gap);
}

push_throttle::decision push_throttle::next_step(mono_time now) {
  if (!config_.enabled || congested_ || pending_.empty())
    return {};
  const auto at = earliest_emission(now);
  if (at > now)
    return {{}, at};
  return {take_pending(now), std::nullopt};
}

std::vector<merged_alert> push_throttle::take_pending(mono_time now) {
  std::vector<merged_alert> members;
  members.reserve(pending_.size());
  for (auto& p : pending_) {
    told_.forget(end_of(p.key));
    told_.remember(p.key, now);
    told_faults_.remember(p.key, now);
    members.push_back(std::move(p.alert));
  }
  // A fault that has ended is news when it comes back.
  for (const auto& m : members)
    if (!m.shown->ends.empty()) {
      told_.forget(m.shown->ends.view());
      told_faults_.forget(m.shown->ends.view());
    }
  const auto head = std::next(members.begin(), static_cast<std::ptrdiff_t>(head_));
  std::rotate(members.begin(), head, std::next(head));
  std::stable_sort(members.begin(), members.end(), is_worse);
  pending_.clear();
  head_ = 0;
  rate_.take(now);
  last_emission_ = now;
  ++notify_count_;
  return members;
}

} // namespace gasoline

#include "actors/detection/error_spike.hpp"

#include <algorithm>

namespace gasoline {
namespace {

constexpr double spike_factor = 3;
constexpr double severe_factor = 10;

std::int64_t whole_seconds(std::uint64_t ms) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>((ms + 999) / 1000));
}

} // namespace

error_spike::error_spike(const limits_of<detection_room>& limit)
    : window_(whole_seconds(limit.detection.anomaly_window_ms)),
      history_(whole_seconds(limit.detection.anomaly_history_ms)),
      min_events_(limit.detection.anomaly_min_events),
      buckets_(static_cast<std::size_t>(window_ + history_), 0),
      untold_buckets_(buckets_.size(), 0) {}

std::optional<spike> error_spike::add(mono_time now, std::uint64_t events, std::uint64_t untold) {
  move_to(second_of(now));
  buckets_[index_of(second_)] += events;
  untold_buckets_[index_of(second_)] += untold;
  recent_ += events;
  untold_ += untold;
  if (told_) {
    peak_ = std::max(peak_, recent_);
    return std::nullopt;
  }
  if (!is_high())
    return std::nullopt;
  told_ = true;
  low_for_ = 0;
  peak_ = recent_;
  return state();
}

std::optional<spike> error_spike::lasting() const {
  return told_ ? std::optional{state()} : std::nullopt;
}

spike error_spike::state() const {
  spike found;
  found.recent = recent_;
  found.untold = untold_;
  found.average = average();
  if (static_cast<double>(recent_) > severe_factor * std::max(found.average, 1.0))
    found.level = severity::error;
  return found;
}

std::int64_t error_spike::second_of(mono_time now) {
  return std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
}

void error_spike::move_to(std::int64_t second) {
  if (!started_) {
    started_ = true;
    second_ = second;
  }
  if (second - second_ >= window_ + history_) {
    forget_all();
    second_ = second;
  }
  while (second_ < second)
    step();
}

// Every second is looked at, so that a rate which fell and rose again counts as a new spike.
void error_spike::step() {
  ++second_;
  const auto now = index_of(second_);
  before_ -= buckets_[now];
  buckets_[now] = 0;
  untold_buckets_[now] = 0;
  const auto aged = index_of(second_ - window_);
  recent_ -= buckets_[aged];
  untold_ -= untold_buckets_[aged];
  before_ += buckets_[aged];
  low_for_ = 2 * recent_ <= peak_ ? low_for_ + 1 : 0;
  if (low_for_ >= window_)
    told_ = false;
}

void error_spike::forget_all() {
  std::fill(buckets_.begin(), buckets_.end(), 0);
  std::fill(untold_buckets_.begin(), untold_buckets_.end(), 0);
  recent_ = 0;
  untold_ = 0;
  before_ = 0;
  told_ = false;
}

std::size_t error_spike::index_of(std::int64_t second) const {
  const auto size = window_ + history_;
  return static_cast<std::size_t>(((second % size) + size) % size);
}

double error_spike::average() const {
  return static_cast<double>(before_) * static_cast<double>(window_) /
         static_cast<double>(history_);
}

bool error_spike::is_high() const {
  const double usual = average();
  if (usual < 1 && recent_ < min_events_)
    return false;
  return static_cast<double>(recent_) > spike_factor * usual;
}

} // namespace gasoline

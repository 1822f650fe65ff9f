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

error_spike::error_spike(const limits& limit)
    : window_(whole_seconds(limit.detection.anomaly_window_ms)),
      history_(whole_seconds(limit.detection.anomaly_history_ms)),
      min_events_(limit.detection.anomaly_min_events),
      buckets_(static_cast<std::size_t>(window_ + history_), 0) {}

std::optional<spike> error_spike::add(mono_time now, std::uint64_t events) {
  move_to(std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count());
  bucket(second_) += events;
  recent_ += events;
  if (told_ || !is_high())
    return std::nullopt;
  told_ = true;
  spike found;
  found.recent = recent_;
  found.average = average();
  if (static_cast<double>(recent_) > severe_factor * std::max(found.average, 1.0))
    found.level = severity::error;
  return found;
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
  before_ -= bucket(second_);
  bucket(second_) = 0;
  const auto aged = bucket(second_ - window_);
  recent_ -= aged;
  before_ += aged;
  if (!is_high())
    told_ = false;
}

void error_spike::forget_all() {
  std::fill(buckets_.begin(), buckets_.end(), 0);
  recent_ = 0;
  before_ = 0;
  told_ = false;
}

std::uint64_t& error_spike::bucket(std::int64_t second) {
  const auto size = window_ + history_;
  return buckets_[static_cast<std::size_t>(((second % size) + size) % size)];
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

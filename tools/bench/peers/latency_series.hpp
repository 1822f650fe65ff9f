#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace gasoline::bench {

using clock = std::chrono::steady_clock;

/// Durations of repeated work, in microseconds.
class latency_series {
 public:
  void add(clock::duration d) {
    values_.push_back(std::chrono::duration<double, std::micro>(d).count());
  }

  /// The value that the share `q` of all stays at or below; 0 when there is none.
  double quantile(double q) const {
    if (values_.empty())
      return 0;
    auto sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::min(sorted.size() - 1,
                           static_cast<std::size_t>(q * static_cast<double>(sorted.size())))];
  }

  double p50() const { return quantile(0.50); }
  double p99() const { return quantile(0.99); }
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<double> values_;
};

/// Times one call.
template <class Work>
clock::duration timed(Work work) {
  const auto start = clock::now();
  work();
  return clock::now() - start;
}

} // namespace gasoline::bench

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace gasoline::bench {

/// At least how often both sides are measured in turn, so that a noisy machine is seen as such.
inline constexpr int paired_run_count = 5;

/// What two sides measured, run after run in turn. There may be no other side.
class paired_runs {
 public:
  void add(double own, std::optional<double> other) {
    own_.push_back(own);
    if (other)
      other_.push_back(*other);
  }

  /// The median; 0 without runs.
  double own() const { return median(own_).value_or(0); }
  std::optional<double> other() const { return median(other_); }

  /// Least and most of each side, and of their ratios; empty without another side.
  std::string spread() const {
    if (other_.empty() || other_.size() != own_.size())
      return {};
    std::vector<double> ratios;
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (other_[i] > 0)
        ratios.push_back(own_[i] / other_[i]);
    return std::to_string(own_.size()) + " runs in turn: " + range(own_) + ", reference " +
           range(other_) + ", ratio " + range(ratios);
  }

 private:
  static std::optional<double> median(std::vector<double> values) {
    if (values.empty())
      return std::nullopt;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  }

  static std::string range(const std::vector<double>& values) {
    if (values.empty())
      return "-";
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    char text[64];
    std::snprintf(text, sizeof text, *most >= 1000 ? "%.0f to %.0f" : "%.2f to %.2f", *least,
                  *most);
    return text;
  }

  std::vector<double> own_;
  std::vector<double> other_;
};

} // namespace gasoline::bench

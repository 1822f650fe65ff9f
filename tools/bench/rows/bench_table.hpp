#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gasoline::bench {

/// What a row should reach, made by the functions below. One on the ratio to the reference asks
/// nothing where there is no reference.
struct bench_target {
  enum class asks : std::uint8_t { nothing, at_most, at_least, ratio_at_most, ratio_at_least };
  asks of = asks::nothing;
  double bound = 0;
};

constexpr bench_target at_most(double value) {
  return {bench_target::asks::at_most, value};
}
constexpr bench_target at_least(double value) {
  return {bench_target::asks::at_least, value};
}
constexpr bench_target ratio_at_most(double ratio) {
  return {bench_target::asks::ratio_at_most, ratio};
}
constexpr bench_target ratio_at_least(double ratio) {
  return {bench_target::asks::ratio_at_least, ratio};
}

/// One measured value, what it is compared with, and the target.
struct bench_row {
  std::string what;
  double measured = 0;
  std::string unit;
  std::optional<double> reference{}; ///< floor or peer, in the same unit
  std::string reference_name{};
  bench_target target{};
  std::string spread{}; ///< of runs in turn with the reference; empty: none
};

/// The rows of one run.
class bench_table {
 public:
  /// Adds a row and prints it at once.
  void add(bench_row row);

  /// A remark between rows.
  void note(const std::string& text);

  nlohmann::json to_json() const;

 private:
  std::vector<bench_row> rows_;
};

} // namespace gasoline::bench

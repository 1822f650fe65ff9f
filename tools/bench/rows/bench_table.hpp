#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gasoline::bench {

/// One measured value, what it is compared with, and the target.
struct bench_row {
  std::string what;
  double measured = 0;
  std::string unit;
  std::optional<double> reference; ///< floor or peer, in the same unit
  std::string reference_name;
  std::optional<double> at_most;       ///< target on the value
  std::optional<double> at_least;      ///< target on the value
  std::optional<double> ratio_at_most; ///< target on value / reference
  std::string spread{};                ///< of runs in turn with the reference; empty: none
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

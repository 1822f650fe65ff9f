#pragma once

#include "tools/run/findings/output_finding.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Follows the test runs in a command's output by the rows of `test_rules`. Keeps at most 100
/// failures of a run, counts all.
class test_runs {
 public:
  /// What a line that a row's expressions were found in means; `rule` is the row. A finding when it
  /// ends a run.
  std::optional<output_finding> take(std::size_t rule, std::string_view line);

  /// A line that no row knows: it may be what a failure's message is made of.
  void take_other(std::string_view line);

  /// Whether a run is under way: what is thrown within one is what its failures are about.
  bool running() const noexcept { return running_; }

  /// Says what a trace within a run was about.
  void describe(const std::string& message);

  /// Nothing has come for a while: a run of which all has been told is over.
  std::optional<output_finding> pause();

  /// The command ended: what is known of a run that has told no end.
  std::optional<output_finding> finish();

 private:
  void begin(std::size_t rule);
  void add(std::string name, std::string message);
  std::optional<output_finding> end(std::string_view summary);
  output_finding close();
  void explain(std::string_view text);

  std::size_t rule_ = 0;
  bool running_ = false;
  bool wants_message_ = false;
  bool explanation_follows_ = false; ///< below the next empty line
  bool explains_ = false;            ///< the lines that come are the message of the last failure
  bool told_all_ = false;            ///< the line was there that says so
  bool failed_part_ = false;
  bool part_failed_ = false; ///< a run of this command has failed, so the command has not passed
  bool untold_pass_ = false; ///< parts of the run have passed, which is told at the end
  output_finding run_;
  std::string explanation_;
  std::string described_;
  std::vector<failed_test> descriptions_; ///< told before the failures are named
};

} // namespace gasoline

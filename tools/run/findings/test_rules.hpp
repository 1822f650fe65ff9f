#pragma once

#include <vector>

namespace gasoline {

/// How a test runner tells of a run. Expressions are RE2; empty: there is no such line.
struct test_rule {
  const char* tool;
  const char* begins;    ///< a line that only this runner prints, before or with the failures
  const char* failed;    ///< names a failure: groups `name` and perhaps `message`
  const char* describes; ///< what follows is about the failure `name`
  const char* details;   ///< what went wrong with it: group `message`
  const char* summary;   ///< the run has ended; its numbers are in the line
  bool message_follows;  ///< the first line that says anything after a failure is its message
  /// A run of several parts has a summary for each: that all is well is known when the command
  /// ends.
  bool passes_at_end;
  /// What stands below the first empty line after the details says more than they do.
  bool explained_below = false;
  /// All has been run; the failures may be told once more, and nothing says when that is over.
  const char* recap = "";
};

const std::vector<test_rule>& test_rules();

} // namespace gasoline

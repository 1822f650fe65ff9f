#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// How a test ended.
enum class test_outcome : std::uint8_t { passed, failed, skipped };

/// What one or more report files say about a test run. A test that is told of twice counts as it
/// ended last, and is remembered as `passed again` when it had failed before. Bounded: the messages
/// of 100 failures are kept; names of at most 100,000 tests are told apart, further ones are
/// counted only.
class test_report {
 public:
  /// A test of that name ended. Colours of terminals are taken out; the message is cut to 1 KB.
  void add(std::string_view name, test_outcome outcome, std::string_view message = {});

  /// The test passed, and the report says that it had failed before.
  void add_passed_again(std::string_view name, std::string_view message);

  /// Something failed that is no test: a build, a plan, the run as a whole.
  void add_fault(std::string_view name, std::string_view message);

  /// So many tests passed of which no name is told.
  void add_passed(std::uint64_t count) { passed_ += count; }

  void add_duration(double milliseconds) { duration_ms_ += milliseconds; }

  struct failure {
    std::string name;
    std::string message;
  };

  /// Those whose messages are kept, in the order of the report.
  std::vector<failure> failures() const;

  std::uint64_t failed() const noexcept { return failed_; }
  std::uint64_t passed() const noexcept { return passed_; }
  std::uint64_t skipped() const noexcept { return skipped_; }
  double duration_ms() const noexcept { return duration_ms_; } ///< 0: not told

  /// Whether it tells of anything at all.
  bool empty() const noexcept { return failed_ + passed_ + skipped_ == 0; }

  /// One line: what failed, passed, was skipped, and which tests passed again after failing.
  std::string summary() const;

 private:
  struct test {
    test_outcome outcome = test_outcome::passed;
    bool failed_before = false;
    std::uint64_t order = 0;
    std::string message;
  };

  std::uint64_t& count_of(test_outcome outcome);

  std::map<std::string, test, std::less<>> tests_;
  std::uint64_t failed_ = 0;
  std::uint64_t passed_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t kept_messages_ = 0;
  double duration_ms_ = 0;
};

} // namespace gasoline

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline::bench {

/// A child with pipes on stdin and stdout; stderr goes to /dev/null. Ended when this ends.
class child_process {
 public:
  explicit child_process(const std::vector<std::string>& command);
  ~child_process();
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;

  /// Writes all bytes to the child's stdin.
  void write(std::string_view bytes);

  /// The next whole line of its stdout, or nothing after `timeout_ms` or at its end.
  std::optional<std::string> read_line(int timeout_ms = 10'000);

  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string buffered_;
};

} // namespace gasoline::bench

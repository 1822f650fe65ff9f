#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// The output of a command within a cap: its beginning and its end, which tell most.
class shell_output {
 public:
  explicit shell_output(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  void add(std::string_view bytes);

  /// Whether something was left out.
  bool truncated() const;

  /// What there is, with a line that says how much was left out.
  std::string text() const;

 private:
  std::size_t surplus() const;

  std::size_t most_bytes_;
  std::string head_;
  std::string tail_; // the newest bytes, up to twice of what is kept
  std::uint64_t left_out_ = 0;
};

} // namespace gasoline

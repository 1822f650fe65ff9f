#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gasoline {

/// Splits what a browser writes into its messages, which end with NUL. A message over the cap is
/// dropped whole and counted; what follows is read on.
class message_splitter {
 public:
  explicit message_splitter(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  /// Takes the next bytes and tells each message that they complete.
  void take(std::string_view bytes, const std::function<void(std::string)>& tell);

  std::uint64_t dropped() const { return dropped_; }

 private:
  void add(std::string_view bytes);

  std::uint64_t most_bytes_;
  std::uint64_t dropped_ = 0;
  std::string begun_;
  bool too_large_ = false; // of the one that has begun
};

} // namespace gasoline

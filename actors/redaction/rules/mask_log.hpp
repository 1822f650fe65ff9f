#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace gasoline::redaction {

/// How many masks each rule has set.
using mask_counts = std::map<std::string, std::uint64_t, std::less<>>;

/// How a mask is written: as everybody reads it, or with the name of the rule that set it.
enum class mask_style : std::uint8_t { usual, named };

/// What one redaction masked, by rule.
class mask_log {
 public:
  explicit mask_log(mask_style style = mask_style::usual) : style_(style) {}

  /// Counts a mask of that rule; the answer is what is written in its place. `usual` is
  /// `[REDACTED]` or `[REDACTED:kind]`; masks with a kind are counted and named by it.
  std::string set(std::string_view rule, std::string_view usual);

  const mask_counts& counts() const noexcept { return counts_; }

 private:
  mask_style style_;
  mask_counts counts_;
};

} // namespace gasoline::redaction

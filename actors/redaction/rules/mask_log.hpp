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

/// What one redaction masked, by rule, and how many characters it spelled out.
class mask_log {
 public:
  explicit mask_log(mask_style style = mask_style::usual) : style_(style) {}

  /// Counts a mask of that rule; the answer is what is written in its place. `usual` is
  /// `[REDACTED]` or `[REDACTED:kind]`; masks with a kind are counted and named by it.
  std::string set(std::string_view rule, std::string_view usual);

  /// Adds what another has noted.
  void add(const mask_log& other);

  const mask_counts& counts() const noexcept { return counts_; }

  /// Counts characters that are not shown as they are.
  void note_escapes(std::uint64_t characters) noexcept { escapes_ += characters; }
  std::uint64_t escapes() const noexcept { return escapes_; }

 private:
  mask_style style_;
  mask_counts counts_;
  std::uint64_t escapes_ = 0;
};

} // namespace gasoline::redaction

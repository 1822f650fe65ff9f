#pragma once

#include "actors/redaction/rules/mask_log.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline::redaction {

/// Bytes; what is shorter is a word, and not masked.
inline constexpr std::size_t shortest_known_value = 8;

/// Secrets that the engine itself holds: its token, keys of providers, logins of servers. Masked
/// wherever they stand, whatever surrounds them, also as addresses, forms, JSON, HTML and base64
/// hold them. Never changes.
class known_values {
 public:
  /// Values of fewer than `shortest_known_value` bytes are left out.
  explicit known_values(const std::vector<std::string>& values);

  bool occur_in(std::string_view text) const;

  /// Masks them in `text` from `begin` on.
  void apply(std::string& text, std::size_t begin, mask_log& log) const;

 private:
  /// A value, and its rarest character, which is looked for first.
  struct value {
    std::string text;
    std::size_t anchor = 0;
  };

  static std::size_t find(std::string_view text, const value& v, std::size_t from);

  std::vector<value> values_;
};

} // namespace gasoline::redaction

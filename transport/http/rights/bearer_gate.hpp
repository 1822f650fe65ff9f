#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// Whether two texts are equal, in a time that tells nothing about where they differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);

/// Knows the token that HTTP requests need.
class bearer_gate {
 public:
  /// An empty token lets everything pass.
  explicit bearer_gate(std::string token = {}) : token_(std::move(token)) {}

  bool is_open() const { return token_.empty(); }

  /// Whether `Authorization: Bearer TOKEN` carries the token.
  bool admits(std::optional<std::string_view> authorization) const;

  /// The same for `?token=` (percent-encoding undone), for what a page's script tag and the page
  /// script send, which have no headers to set.
  bool admits_query(std::string_view query) const;

 private:
  std::string token_;
};

} // namespace gasoline

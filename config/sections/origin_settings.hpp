#pragma once

#include "config/values/user_error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// One entry of `allowed_origins` or `trusted_origins`: an origin as browsers send it
/// (`http://myapp.test:3000`, `tauri://localhost`, `chrome-extension://ID`), the same with `*` for
/// any port (`http://myapp.test:*`), or a host alone for any scheme and port (`myapp.test`).
class origin_pattern {
 public:
  /// The error says why the text is no origin.
  static result_or<origin_pattern> parse(std::string_view text);

  /// Whether the `Origin` header is covered. Never true for `null`.
  bool covers(std::string_view origin) const;

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::string scheme_; ///< empty: any
  std::string host_;
  std::string port_; ///< empty: none is written; `*`: any
};

/// Which pages and extensions may do more than others (README of `transport`, "Rights").
struct origin_settings {
  std::vector<origin_pattern> allowed; ///< may send telemetry, as pages of this machine may
  std::vector<origin_pattern> trusted; ///< may read and act too

  bool allows(std::string_view origin) const;
  bool trusts(std::string_view origin) const;
};

/// Reads a list as a flag or an environment variable holds it: separated by commas.
result_or<std::vector<origin_pattern>> read_origin_list(std::string_view text);

} // namespace gasoline

#pragma once

#include "messages/mcp/mcp.hpp"

#include <optional>
#include <string_view>

namespace gasoline {

/// The era of one connection without headers, such as stdio. Its first request decides:
/// `initialize` or one that claims nothing pins legacy, another claimed one pins modern;
/// `server/discover` pins nothing.
class connection_era {
 public:
  /// Takes note of a request and answers the era that serves it. A claimed request is served as a
  /// modern one on any connection, since the specification allows both at once.
  mcp_era classify(std::string_view method, bool claimed) {
    if (method == "server/discover")
      return claimed ? mcp_era::modern : pinned_.value_or(mcp_era::legacy);
    const auto own = claimed && method != "initialize" ? mcp_era::modern : mcp_era::legacy;
    if (!pinned_)
      pinned_ = own;
    return *pinned_ == mcp_era::modern ? mcp_era::modern : own;
  }

  /// Nothing while no request has decided it.
  std::optional<mcp_era> pinned() const { return pinned_; }

 private:
  std::optional<mcp_era> pinned_;
};

} // namespace gasoline

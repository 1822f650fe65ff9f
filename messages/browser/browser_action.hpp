#pragma once

#include "messages/base/client_id.hpp"
#include "messages/base/enum_names.hpp"
#include "messages/mcp/tool.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// What is done in a page.
enum class browser_verb : std::uint8_t { navigate };

template <>
struct enum_table<browser_verb> {
  static constexpr std::array<std::pair<browser_verb, std::string_view>, 1> rows{{
      {browser_verb::navigate, "navigate"},
  }};
};

/// One thing to do in a page.
struct browser_action {
  browser_verb verb = browser_verb::navigate;
  client_id client = 0;
  std::string page; ///< handle of a page; empty: the client's own
  std::string url;  ///< also back, forward, reload
  std::optional<std::chrono::milliseconds> timeout;
};

/// What came of it.
struct action_report {
  bool refused = false; ///< it was not done; `text` says why and what to do
  std::string text;     ///< not redacted yet
  std::string page;     ///< the page's handle; events of it have it as `tab`
  std::vector<image_block> images;
};

} // namespace gasoline

#pragma once

#include "actors/browser/browser_core.hpp"

#include <optional>

namespace gasoline {

struct browser_state {
  static inline const char* name = "browser";

  std::optional<browser_core> core;
};

/// Drives the engine's browser. One that the settings want with the engine is launched at once.
browser_actor::behavior_type browser(browser_actor::stateful_pointer<browser_state> self,
                                     browser_parts parts);

} // namespace gasoline

#pragma once

#include <map>
#include <string>

namespace gasoline {

/// What the user's settings let `interact` fill in under a name.
struct page_secret {
  std::string text;    ///< empty: its file was refused
  std::string refusal; ///< why, and what to do, as a sentence; empty: it may be filled in
};

/// By name.
using page_secrets = std::map<std::string, page_secret>;

} // namespace gasoline

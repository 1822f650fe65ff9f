#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// What a project's file `.gasoline.json` names as its own. An empty list names nothing: what the
/// project has of that kind is learned.
struct scope_lists {
  std::vector<std::string> origins;  ///< of its pages: `http://localhost:3000`
  std::vector<std::string> services; ///< names that its programs give themselves
  std::vector<std::string> ci;       ///< sources or repositories, `github.com/acme/shop@main`
};

/// A change of that file; lists that are not given stay.
struct scope_change {
  std::optional<std::vector<std::string>> origins;
  std::optional<std::vector<std::string>> services;
  std::optional<std::vector<std::string>> ci;

  /// Whether it only asks what the file says.
  bool only_shows() const { return !origins && !services && !ci; }
};

} // namespace gasoline

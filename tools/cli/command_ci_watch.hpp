#pragma once

#include "config/settings.hpp"

#include <string>

namespace gasoline {

/// What `gasoline ci watch` was asked for.
struct ci_watch_options {
  std::string program;         ///< gh or glab; empty: by the address of `origin`
  unsigned every_seconds = 15; ///< between two looks while something runs
};

/// Follows the CI runs of this working tree's branch until it is ended, and tells the engine how
/// each that ends has ended. Gives the exit code.
int run_ci_watch(const settings& config, const ci_watch_options& options);

} // namespace gasoline

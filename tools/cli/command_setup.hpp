#pragma once

#include "config/settings.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// Whether changes are only shown, shown and asked about, or shown and made.
enum class setup_consent { print, ask, write };

/// What `gasoline setup project` writes as the project's own into `.gasoline.json`.
struct project_lists {
  std::vector<std::string> origins;
  std::vector<std::string> services;
  std::vector<std::string> ci;

  bool empty() const { return origins.empty() && services.empty() && ci.empty(); }
};

struct setup_options {
  std::vector<std::string> agents; ///< by name; empty: all that are on this machine
  project_lists project; ///< not empty: the project in the working directory is set up, too
  setup_consent consent = setup_consent::ask;
  settings_flags flags; ///< what the agents' commands get: `--state-dir`, `--config`, `--port`
};

/// `gasoline setup`: server entries, hooks and permissions into the files of agents, after the
/// change was shown. Answers the exit code.
int run_setup(const setup_options& options);

/// `gasoline uninstall`: takes them out again.
int run_uninstall(const setup_options& options);

} // namespace gasoline

#pragma once

#include <string>

namespace gasoline {

/// What git knows of the working tree around this directory. Read from its files; nothing is run.
struct working_tree {
  std::string branch; ///< empty: none is checked out
  std::string remote; ///< address of `origin`; empty: none
};

working_tree working_tree_here();

} // namespace gasoline

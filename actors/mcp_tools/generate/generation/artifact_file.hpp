#pragma once

#include "config/values/user_error.hpp"

#include <string>

namespace gasoline {

/// A text that is to become a file, and where files may be.
struct artifact_file {
  std::string path; ///< as the caller gave it
  std::string text;
  std::string workspace;       ///< absolute; empty: not known
  std::string state_directory; ///< absolute; files go into its directory `generated`
  bool overwrite = false;
};

/// Writes it, whole or not at all: relative paths are of the workspace, or of `generated` where no
/// workspace is known; absolute ones have to be in one of the two. Directories on the way are made.
/// The file is the user's alone. Answers its absolute path, or a sentence that says why nothing was
/// written. May wait for a disk.
result_or<std::string> write_artifact(const artifact_file& file);

} // namespace gasoline

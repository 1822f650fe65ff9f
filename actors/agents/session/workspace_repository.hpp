#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// What a directory's Git repository says of itself; empty members: it does not, or there is none.
struct workspace_repository {
  std::string remote; ///< path of `origin` without `.git`: `owner/name`
  std::string branch; ///< that is checked out
};

/// Reads the files of the repository that holds that directory, a worktree's as well; runs no
/// program.
workspace_repository repository_of(const std::string& directory);

/// The path of a remote's address: `owner/name` of `git@host:owner/name.git` and of
/// `https://host/owner/name`; empty where it has no host.
std::string remote_path(std::string_view address);

} // namespace gasoline

#pragma once

#include "config/values/user_error.hpp"
#include "messages/alerts/scope_change.hpp"
#include "messages/base/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// What is known of a project from its files.
struct project {
  std::string root;                 ///< its directory, absolute
  std::optional<scope_lists> lists; ///< what its file says; nothing: it has none
  std::string problem;              ///< why its file is not heeded; empty: nothing is wrong
  std::vector<std::string> remotes; ///< of its repository: `github.com/acme/shop`
  std::string branch;               ///< that is checked out; empty: not known
};

/// Finds the project that a directory belongs to: the nearest one above it with a `.gasoline.json`
/// or a `.git`, not as far up as the user's home; else the directory itself. What was read is
/// looked at again after a quarter of a second, read again when a file has changed, and looked for
/// anew after five seconds. Time must not go backwards between calls.
class project_files {
 public:
  explicit project_files(std::string home = {}) : home_(std::move(home)) {}

  /// The project of that absolute directory. Valid until the next call.
  const project& of(const std::string& directory, mono_time now);

  /// Changes the file of that project. The error says why it stays as it is.
  std::optional<user_error> change(const std::string& root, const scope_change& change);

 private:
  /// A file that was read, as it was then.
  struct seen_file {
    std::string path;
    std::array<std::int64_t, 4> mark{}; ///< inode, size and time of change; zeros: it is not there
  };

  struct entry {
    project found;
    mono_time found_at{};
    mono_time seen_at{};
    std::vector<seen_file> files;
  };

  std::string root_of(const std::string& directory) const;
  static std::array<std::int64_t, 4> mark_of(const std::string& file);
  static bool is_unchanged(const entry& row);

  std::string home_;
  std::map<std::string, entry> entries_; ///< by directory
};

/// `https://user@github.com/acme/shop.git` or `git@github.com:acme/shop` as
/// `github.com/acme/shop`; empty: it leads nowhere else.
std::string remote_place(std::string_view url);

} // namespace gasoline

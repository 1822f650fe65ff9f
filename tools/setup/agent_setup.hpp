#pragma once

#include "tools/setup/agent_files.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// A file as it is and as it shall be.
struct file_change {
  std::filesystem::path path;        ///< as the agent names it; a symbolic link stays one
  std::optional<std::string> before; ///< nothing: there is no such file
  std::optional<std::string> after;  ///< nothing: it shall go
  bool executable = false;
  bool keeps_copy = false;       ///< the first change leaves a copy of what was there before it
  bool drops_copy = false;       ///< that copy is of no use any longer
  std::filesystem::path below{}; ///< empty folders down from here go with the file; empty: none

  bool is_none() const { return before == after; }
};

/// The text with what the agent needs in it. What its user has added to an entry of ours stays. The
/// error says why it is left alone.
result_or<std::string> with_entries(std::string_view text, const wanted_file& wanted);

/// The text without them. Objects and arrays that become empty go too, unless `original`, the text
/// before any of it, has them.
result_or<std::string> without_entries(std::string_view text, const wanted_file& wanted,
                                       const std::optional<std::string>& original);

/// What `setup` would do to the file; reads it. The error says why it is left alone.
result_or<file_change> plan_setup(const wanted_file& wanted);

/// What `uninstall` would do: a file that nobody has changed since `setup` is again, byte by byte,
/// what it was; from others only our entries go.
result_or<file_change> plan_uninstall(const wanted_file& wanted);

/// Carries a change out: a copy `FILE.gasoline-backup` is made before the first one (or says that
/// there was no file), the file is replaced in one step, and keeps its mode. The error says what
/// could not be written.
std::optional<user_error> apply_change(const file_change& change);

/// The change for people: lines that go with `-`, lines that come with `+`.
std::string change_text(const file_change& change);

} // namespace gasoline

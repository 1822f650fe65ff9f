#pragma once

#include "config/settings.hpp"
#include "messages/agents/model_call.hpp"
#include "messages/base/file_descriptor.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// Why a path of a workspace cannot be used, as a tool tells it.
struct path_fault {
  std::string error_class; ///< empty: the tool says no; `denied`, `invalid_input`
  std::string message;     ///< a sentence
};

/// Opens the root of a session's workspace.
tl::expected<file_descriptor, path_fault> open_workspace(const std::string& workspace);

/// What a tool wants to read.
enum class readable_kind : std::uint8_t { file, directory };

/// Opens what is at `path` below `root` for reading. The kernel resolves it (openat2,
/// RESOLVE_BENEATH): no `..` and no symbolic link leads outside, also when the tree changes
/// meanwhile. It is opened as a mere reference first (O_PATH), so that neither a device nor a FIFO
/// notices.
tl::expected<file_descriptor, path_fault> open_beneath(int root, const std::string& path,
                                                       readable_kind wanted);

/// What a model has named, open for reading.
struct workspace_entry {
  file_descriptor descriptor;
  std::string path; ///< relative to the workspace; `.` is the workspace itself
};

/// Opens a path that a model gave, relative to its workspace: absolute paths below the workspace
/// are taken as such.
tl::expected<workspace_entry, path_fault>
open_in_workspace(const std::string& workspace, std::string_view path, readable_kind wanted);

/// The outcome of a tool that cannot do what it was asked.
tool_outcome outcome_of(path_fault fault);

/// The outcome of a call whose input is none.
tool_outcome invalid_input(std::string message);

} // namespace gasoline

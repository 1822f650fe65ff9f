#pragma once

#include "messages/base/file_descriptor.hpp"

#include <sys/types.h>

#include <string>

namespace gasoline {

/// Opens what is at `path` below the directory `root`. The kernel resolves it (openat2,
/// RESOLVE_BENEATH): no `..` and no symbolic link leads outside, also when the tree changes
/// meanwhile. `flags` and `mode` are those of `open`; O_CLOEXEC is added. An empty descriptor and
/// `errno`: EXDEV, it leads outside; ENOSYS, the kernel is older than Linux 5.6; else as of `open`.
file_descriptor open_path_beneath(int root, const std::string& path, int flags, mode_t mode = 0);

} // namespace gasoline

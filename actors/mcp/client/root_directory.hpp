#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The absolute paths that a client may mean by the URI of one of its roots, the likeliest first:
/// as the standard has it, and as clients write it that forget to encode. None: it names no
/// directory of this machine.
std::vector<std::string> paths_of_root(std::string_view uri);

/// The first of them that is a directory; empty: none is.
std::string root_directory(std::string_view uri);

} // namespace gasoline

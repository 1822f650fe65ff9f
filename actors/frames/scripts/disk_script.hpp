#pragma once

#include "actors/frames/scripts/script_reading.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// The path of a script that a frame of a program of this machine names as `/srv/dist/a.js` or
/// `file:///srv/dist/a.js`; empty: it names another thing.
std::string_view disk_path(std::string_view file);

/// Whether there is such a file; cheap, so that nobody waits for what is not there.
bool is_disk_file(const std::string& path);

/// What a script on the disk, and the map that lies beside it, say of where it comes from. Only
/// regular files of this user or of root are read, of at most so many bytes, and only within a
/// project: below a directory with a `.gasoline.json`, a `.git` or a `package.json`, into which
/// links are followed but not out of it. Anything else says nothing. Waits for the disk.
script_reading read_disk_script(const std::string& path, std::uint64_t script_bytes,
                                const source_map_caps& caps);

} // namespace gasoline

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>

namespace gasoline::bench {

/// A number out of a `/proc` status file, such as `VmRSS:` or `voluntary_ctxt_switches:`; 0 when
/// there is none.
double status_number(const std::filesystem::path& file, const std::string& key);

/// Resident memory of a process.
double resident_mib(pid_t pid);

/// Open file descriptors of a process.
std::size_t open_descriptors(pid_t pid);

/// Lets this program open as many descriptors as the system allows: its streams need more than a
/// shell gives by default.
void raise_descriptor_limit();

} // namespace gasoline::bench

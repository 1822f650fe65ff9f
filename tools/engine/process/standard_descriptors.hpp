#pragma once

namespace gasoline {

/// Opens those of the descriptors 0, 1 and 2 that are closed on /dev/null, so that nothing opened
/// later takes their place: log lines would be written into a lock file, the protocol into a
/// database. Called before anything else is opened. False: /dev/null cannot be opened either.
bool open_standard_descriptors();

} // namespace gasoline

#pragma once

namespace gasoline {

/// Whether the process at the other end of a Unix domain socket runs as the user of this one.
bool is_own_user(int socket);

} // namespace gasoline

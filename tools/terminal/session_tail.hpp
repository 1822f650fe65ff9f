#pragma once

#include "config/settings.hpp"
#include "tools/terminal/tail_format.hpp"

#include <string>

namespace gasoline {

/// `gasoline tail session ID`: what is to be followed, and how.
struct session_tail_options {
  std::string session_id;
  std::string submit; ///< text of a turn to be started first; empty: none
  tail_format format = tail_format::text;
};

/// Follows a session over its WebSocket: shows what it holds, then what happens in it, as it
/// happens. When the connection is lost it comes back behind the last event it has seen. Ends with
/// the session, at SIGINT, or when nobody reads its output. Answers the exit code of the program.
int run_session_tail(const settings& config, const session_tail_options& options);

} // namespace gasoline

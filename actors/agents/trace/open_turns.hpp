#pragma once

#include "messages/agents/session_actors.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

namespace gasoline {

/// What ends the turns that the last process has left open, with ids above `floor`: running tools
/// and open calls fail as cancelled, then `turn.cancelled` with reason `server_restart`.
std::vector<trace_record> ends_of_open_turns(SQLite::Database& db, const random_source& random,
                                             const std::string& floor, wall_time now);

} // namespace gasoline

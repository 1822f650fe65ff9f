#pragma once

#include "messages/agents/session_actors.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

namespace gasoline {

/// The sessions of the file that fit the rest of a query, such as `ORDER BY id`.
std::vector<session_summary> read_summaries(SQLite::Database& db, const std::string& where);

} // namespace gasoline

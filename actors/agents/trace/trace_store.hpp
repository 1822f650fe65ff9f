#pragma once

#include "actors/agents/trace/trace_database.hpp"
#include "messages/agents/session_actors.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {

struct trace_store_state {
  static inline const char* name = "trace_store";

  std::optional<limits_of<session_room>> limit;
  wall_clock clock;
  std::unique_ptr<trace_database> database; ///< null: the file cannot be used
  std::string problem;                      ///< why nothing can be stored; empty: all is well
  std::vector<trace_record> pending;
  std::vector<std::pair<caf::strong_actor_ptr, std::uint64_t>> to_tell; ///< writer, its number
  bool commit_due = false;
  std::uint64_t commits = 0;
  std::uint64_t records = 0;
  std::uint64_t failed_commits = 0;
  std::uint64_t refused_records = 0; ///< that can never be written
};

/// The trace on disk (SQLite, WAL), written by this actor alone: records that have arrived by the
/// time of a commit share its transaction. A writer hears of its records when they are committed; a
/// commit that fails is tried again, and until it succeeds nobody hears; a record that the file
/// will never take is left out and counted, so that it holds up nothing else. Blocks on the disk:
/// spawn it detached in live engines.
trace_store_actor::behavior_type
trace_store(trace_store_actor::stateful_pointer<trace_store_state> self,
            const std::filesystem::path& file, const random_source& random, wall_clock clock,
            limits_of<session_room> limit);

struct trace_reader_state {
  static inline const char* name = "trace_reader";

  std::optional<std::filesystem::path> file;
  std::unique_ptr<trace_reader_database> database; ///< opened with the first question
};

/// Reads of the trace on a connection of its own. Blocks on the disk: spawn it detached in live
/// engines. A file that cannot be read is an error answer.
trace_reader_actor::behavior_type
trace_reader(trace_reader_actor::stateful_pointer<trace_reader_state> self,
             std::filesystem::path file);

} // namespace gasoline

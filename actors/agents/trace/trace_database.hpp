#pragma once

#include "messages/agents/session_actors.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The file of the trace store, open for writing: sessions, messages, events, tool calls. Every
/// member throws `SQLite::Exception` when the file or the disk fails. Used by one actor.
class trace_database {
 public:
  /// Opens or makes the file (mode 0600) and brings its tables up to date. Throws
  /// `std::runtime_error`, and leaves it as it is, when a later version of the program wrote it.
  explicit trace_database(const std::filesystem::path& file);

  /// Ends turns that were in flight when the last process ended: their running tools fail as
  /// cancelled, then `turn.cancelled` with reason `server_restart`.
  void close_open_turns(const random_source& random, wall_time now);

  trace_contents contents();

  /// Writes all records in one transaction; nothing of it, and nothing of it is counted, when it
  /// throws.
  void write(const std::vector<trace_record>& records);

  /// Deletes a session and its workers; false when there is none.
  bool remove(const agent_session_id& session_id);

  // Retention. What goes are the oldest turns, whole, with their messages and tool calls; of a turn
  // in flight, only what is above a cap by itself.

  /// Keeps about `most` events of the session. Cheap when there are not clearly more.
  void prune_by_count(const agent_session_id& session_id, std::uint64_t most);

  /// Deletes what happened before that moment.
  void prune_by_age(wall_time oldest);

  /// Deletes the oldest turns of all sessions until what is stored takes clearly less than `most`
  /// bytes. Cheap when it does already.
  void prune_by_bytes(std::uint64_t most);

  /// Bytes that what is stored takes in the file.
  std::uint64_t bytes();

  /// Events that retention has deleted since the file was opened.
  std::uint64_t pruned_events() const { return pruned_events_; }

  /// Rows in all tables, for health.
  nlohmann::json counts();

 private:
  void bring_up_to_date();
  void write_event(const session_event& e);
  void write_message(const session_message& message);
  void write_tool(const tool_call_record& tool);
  void write_summary(const session_summary& summary);
  void write_head(const std::string& head);
  std::string end_of_turn(const agent_session_id& session_id, const std::string& id);
  std::string oldest_id(const agent_session_id& session_id);
  std::string middle_id(const agent_session_id& session_id);
  void prune_tools(const agent_session_id& session_id);
  void prune_through(const agent_session_id& session_id, const std::string& id);
  SQLite::Statement& statement(const char* sql);

  SQLite::Database db_;
  std::map<std::string_view, std::unique_ptr<SQLite::Statement>> statements_; // by their text
  std::map<agent_session_id, std::uint64_t> event_counts_; // of sessions written to since the start
  std::string head_;
  std::uint64_t pruned_events_ = 0;
};

/// A second, read-only connection to the same file.
class trace_reader_database {
 public:
  explicit trace_reader_database(const std::filesystem::path& file);

  event_page replay(const event_range& range, const session_filter& filter, std::uint64_t limit);
  range_count count(const event_range& range, const session_filter& filter, std::uint64_t cap);
  message_list messages(const message_query& query);

 private:
  session_events stored_events(const event_range& range, const session_filter& filter,
                               std::uint64_t limit);
  session_events message_events(const event_range& range, const session_filter& filter,
                                const std::string& bound);

  SQLite::Database db_;
};

} // namespace gasoline

#include "actors/agents/trace/session_rows.hpp"
#include "actors/agents/trace/trace_database.hpp"

#include <SQLiteCpp/VariadicBind.h>

#include <set>
#include <utility>

// The part of `trace_database` that deletes what is too old or too much.
namespace gasoline {

/// The last event of the turn in which that event lies; the event itself when it lies in none;
/// empty when the turn goes on.
std::string trace_database::end_of_turn(const agent_session_id& session_id, const std::string& id) {
  auto& turn = statement("SELECT turn_id FROM events WHERE session_id = ? AND id <= ? ORDER BY id "
                         "DESC LIMIT 1");
  SQLite::bind(turn, session_id, id);
  const agent_turn_id turn_id{turn.executeStep() ? turn.getColumn(0).getString() : std::string{}};
  turn.reset();
  if (turn_id.empty())
    return id;
  auto& end =
      statement("SELECT id FROM events WHERE session_id = ? AND id >= ? AND turn_id = ? AND "
                "type IN ('turn.completed', 'turn.cancelled') ORDER BY id LIMIT 1");
  SQLite::bind(end, session_id, id, turn_id);
  auto out = end.executeStep() ? end.getColumn(0).getString() : std::string{};
  end.reset();
  return out;
}

/// The oldest event or message of a session; empty: there is none.
std::string trace_database::oldest_id(const agent_session_id& session_id) {
  auto& oldest =
      statement("SELECT min(coalesce((SELECT min(id) FROM events WHERE session_id = ?1), "
                "'~'), coalesce((SELECT min(complete_event) FROM messages WHERE "
                "session_id = ?1), '~'))");
  oldest.bind(1, session_id);
  auto out = oldest.executeStep() ? oldest.getColumn(0).getString() : std::string{"~"};
  oldest.reset();
  return out == "~" ? std::string{} : out;
}

/// The event in the middle of those of a session; empty: there are fewer than two.
std::string trace_database::middle_id(const agent_session_id& session_id) {
  auto& middle = statement("SELECT id FROM events WHERE session_id = ?1 ORDER BY id LIMIT 1 OFFSET "
                           "(SELECT (count(*) - 1) / 2 FROM events WHERE session_id = ?1)");
  middle.bind(1, session_id);
  auto out = middle.executeStep() ? middle.getColumn(0).getString() : std::string{};
  middle.reset();
  auto& newest = statement("SELECT coalesce(max(id), '') FROM events WHERE session_id = ?");
  newest.bind(1, session_id);
  const bool is_last = newest.executeStep() && newest.getColumn(0).getString() == out;
  newest.reset();
  return is_last ? std::string{} : out;
}

/// Deletes all calls of tools of a session, those of the turn that goes on as well.
void trace_database::prune_tools(const agent_session_id& session_id) {
  auto& tools = statement("DELETE FROM tool_calls WHERE session_id = ?");
  tools.bind(1, session_id);
  tools.exec();
}

/// Deletes the events of a session up to that one, and the messages and tool calls among them.
void trace_database::prune_through(const agent_session_id& session_id, const std::string& id) {
  SQLite::Transaction transaction{db_};
  auto& tools = statement(
      "DELETE FROM tool_calls WHERE session_id = ?1 AND turn_id IN (SELECT DISTINCT turn_id FROM "
      "events WHERE session_id = ?1 AND id <= ?2) AND turn_id <> (SELECT current_turn_id FROM "
      "sessions WHERE id = ?1)");
  SQLite::bind(tools, session_id, id);
  tools.exec();
  auto& messages = statement("DELETE FROM messages WHERE session_id = ? AND complete_event <= ?");
  SQLite::bind(messages, session_id, id);
  messages.exec();
  auto& events = statement("DELETE FROM events WHERE session_id = ? AND id <= ?");
  SQLite::bind(events, session_id, id);
  const auto gone = events.exec();
  auto& mark = statement("UPDATE sessions SET pruned = max(pruned, ?) WHERE id = ?");
  SQLite::bind(mark, id, session_id);
  mark.exec();
  transaction.commit();
  event_counts_.erase(session_id);
  pruned_events_ += static_cast<std::uint64_t>(std::max(gone, 0));
}

void trace_database::prune_by_count(const agent_session_id& session_id, std::uint64_t most) {
  auto it = event_counts_.find(session_id);
  if (it == event_counts_.end()) {
    auto& count = statement("SELECT count(*) FROM events WHERE session_id = ?");
    count.bind(1, session_id);
    count.executeStep();
    it = event_counts_.emplace(session_id, count.getColumn(0).getInt64()).first;
    count.reset();
  }
  // A tenth above the cap, so that the search for the oldest kept event is rare.
  if (it->second <= most + most / 10)
    return;
  auto& oldest =
      statement("SELECT id FROM events WHERE session_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?");
  SQLite::bind(oldest, session_id, static_cast<std::int64_t>(most));
  if (!oldest.executeStep())
    return;
  const auto id = oldest.getColumn(0).getString();
  oldest.reset();
  const auto end = end_of_turn(session_id, id);
  prune_through(session_id, end.empty() ? id : end);
}

void trace_database::prune_by_age(wall_time oldest) {
  const auto bound = first_id_at(id_kind::record, oldest);
  SQLite::Statement rows{db_,
                         "SELECT s.id, max(coalesce((SELECT max(e.id) FROM events e WHERE "
                         "e.session_id = s.id AND e.id < ?1), ''), coalesce((SELECT "
                         "max(m.complete_event) FROM messages m WHERE m.session_id = s.id AND "
                         "m.complete_event < ?1), '')) AS last FROM sessions s WHERE last <> ''"};
  rows.bind(1, bound);
  std::vector<std::pair<agent_session_id, std::string>> due;
  while (rows.executeStep())
    due.emplace_back(agent_session_id{rows.getColumn(0).getString()},
                     rows.getColumn(1).getString());
  rows.reset();
  for (const auto& [session_id, id] : due) {
    const auto end = end_of_turn(session_id, id);
    prune_through(session_id, end.empty() ? id : end);
  }
}

void trace_database::prune_by_bytes(std::uint64_t most) {
  if (bytes() <= most)
    return;
  const auto enough = most - most / 10;                      // so that this is rare
  std::set<std::pair<std::string, agent_session_id>> oldest; // event and its session
  for (const auto& session : read_summaries(db_, ""))
    if (auto id = oldest_id(session.id); !id.empty())
      oldest.emplace(std::move(id), session.id);
  std::vector<agent_session_id> going_on; // sessions that have nothing but the turn they are in
  while (!oldest.empty() && bytes() > enough) {
    const auto [id, session_id] = *oldest.begin();
    oldest.erase(oldest.begin());
    const auto end = end_of_turn(session_id, id);
    if (end.empty()) {
      going_on.push_back(session_id);
      continue;
    }
    prune_through(session_id, end);
    if (auto next = oldest_id(session_id); !next.empty())
      oldest.emplace(std::move(next), session_id);
  }
  // A turn that never ends keeps within the bytes as well.
  for (const auto& session_id : going_on) {
    for (auto id = middle_id(session_id); !id.empty() && bytes() > most; id = middle_id(session_id))
      prune_through(session_id, id);
    if (bytes() > most)
      prune_tools(session_id);
  }
  db_.exec("PRAGMA incremental_vacuum");
}

} // namespace gasoline

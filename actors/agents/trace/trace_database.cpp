#include "actors/agents/trace/trace_database.hpp"

#include "messages/base/json_text.hpp"

#include <SQLiteCpp/VariadicBind.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace gasoline {
namespace {

using nlohmann::json;
using type = session_event_type;

constexpr const char* tables = R"sql(
CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sessions(
  id TEXT PRIMARY KEY, parent_id TEXT NOT NULL, path TEXT NOT NULL, workspace_path TEXT NOT NULL,
  page_url TEXT NOT NULL, active_model TEXT NOT NULL, policy_version TEXT NOT NULL,
  system_prompt TEXT NOT NULL, tools TEXT NOT NULL, script TEXT NOT NULL, cost_usd REAL NOT NULL,
  turn_count INTEGER NOT NULL, model_calls INTEGER NOT NULL, current_turn_id TEXT NOT NULL,
  created INTEGER NOT NULL, pruned TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS session_paths ON sessions(path);
CREATE TABLE IF NOT EXISTS events(
  session_id TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, turn_id TEXT NOT NULL,
  actor TEXT NOT NULL, at INTEGER NOT NULL, frame TEXT NOT NULL,
  PRIMARY KEY(session_id, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages(
  session_id TEXT NOT NULL, complete_event TEXT NOT NULL, id TEXT NOT NULL, turn_id TEXT NOT NULL,
  role TEXT NOT NULL, status TEXT NOT NULL, model TEXT NOT NULL, stop_reason TEXT NOT NULL,
  content TEXT NOT NULL, usage TEXT NOT NULL, start_event TEXT NOT NULL, created INTEGER NOT NULL,
  PRIMARY KEY(session_id, complete_event)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS message_ids ON messages(session_id, id);
CREATE TABLE IF NOT EXISTS tool_calls(
  session_id TEXT NOT NULL, turn_id TEXT NOT NULL, tool_use_id TEXT NOT NULL,
  tool_name TEXT NOT NULL, status TEXT NOT NULL, input TEXT NOT NULL, result TEXT NOT NULL,
  PRIMARY KEY(session_id, turn_id, tool_use_id)) WITHOUT ROWID;
)sql";

constexpr int file_mode = 0600;

/// SQLite would make the file with the user's umask, and its companions with the file's mode.
std::string made_private(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, file_mode);
  if (descriptor < 0)
    throw std::system_error(errno, std::generic_category(), "cannot open " + file.string());
  ::fchmod(descriptor, file_mode);
  ::close(descriptor);
  return file.string();
}

std::int64_t milliseconds_of(wall_time at) {
  return at.time_since_epoch().count();
}

session_summary read_summary(SQLite::Statement& row) {
  session_summary s;
  s.id = row.getColumn(0).getString();
  s.parent_id = row.getColumn(1).getString();
  s.workspace_path = row.getColumn(2).getString();
  s.page_url = row.getColumn(3).getString();
  s.active_model = row.getColumn(4).getString();
  s.routing_policy_version = row.getColumn(5).getString();
  s.system_prompt = row.getColumn(6).getString();
  s.tools = json::parse(row.getColumn(7).getString()).get<std::vector<std::string>>();
  s.script = row.getColumn(8).getString();
  s.cost_so_far_usd = row.getColumn(9).getDouble();
  s.turn_count = static_cast<std::uint64_t>(row.getColumn(10).getInt64());
  s.model_calls = static_cast<std::uint64_t>(row.getColumn(11).getInt64());
  s.current_turn_id = row.getColumn(12).getString();
  s.created = wall_time{std::chrono::milliseconds{row.getColumn(13).getInt64()}};
  return s;
}

std::vector<session_summary> read_summaries(SQLite::Database& db, const std::string& where) {
  SQLite::Statement rows{db, "SELECT id, parent_id, workspace_path, page_url, active_model, "
                             "policy_version, system_prompt, tools, script, cost_usd, turn_count, "
                             "model_calls, current_turn_id, created FROM sessions " +
                                 where};
  std::vector<session_summary> out;
  while (rows.executeStep())
    out.push_back(read_summary(rows));
  return out;
}

std::vector<tool_call_record> running_tools(SQLite::Database& db, const session_summary& session) {
  SQLite::Statement rows{db, "SELECT tool_use_id, tool_name, input FROM tool_calls WHERE "
                             "session_id = ? AND turn_id = ? AND status = 'running'"};
  SQLite::bind(rows, session.id, session.current_turn_id);
  std::vector<tool_call_record> out;
  while (rows.executeStep())
    out.push_back({rows.getColumn(0).getString(), session.id, session.current_turn_id,
                   rows.getColumn(1).getString(), "cancelled",
                   json::parse(rows.getColumn(2).getString()), ""});
  return out;
}

/// Numbers the events that end a turn which the last process has left open.
class turn_closer {
 public:
  turn_closer(const random_source& random, const std::string& floor, wall_time now)
      : ids_(random), now_(now) {
    ids_.raise_floor(floor);
  }

  std::vector<trace_record> close(session_summary session, std::vector<tool_call_record> running) {
    std::vector<trace_record> out;
    const auto turn_id = std::exchange(session.current_turn_id, {});
    for (auto& tool : running) {
      out.push_back(record(session, turn_id, type::tool_failed,
                           {{"tool_use_id", tool.tool_use_id},
                            {"tool_name", tool.tool_name},
                            {"error_class", "cancelled"},
                            {"message", "The server was restarted while the tool was running."}}));
      out.back().tool = std::make_shared<const tool_call_record>(std::move(tool));
    }
    out.push_back(record(session, turn_id, type::turn_cancelled, {{"reason", "server_restart"}}));
    out.back().summary = std::make_shared<const session_summary>(std::move(session));
    return out;
  }

 private:
  trace_record record(const session_summary& session, const std::string& turn_id, type kind,
                      json payload) {
    event_draft draft;
    draft.type = kind;
    draft.turn_id = turn_id;
    draft.actor = "system";
    draft.payload = std::move(payload);
    trace_record out;
    out.event = make_session_event(draft, ids_.next(id_kind::record, now_), session.id,
                                   session.parent_id, now_);
    return out;
  }

  ulid_source ids_;
  wall_time now_;
};

} // namespace

trace_database::trace_database(const std::filesystem::path& file)
    : db_(made_private(file), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 5'000) {
  db_.exec("PRAGMA journal_mode = WAL");
  // Survives the death of the process at any moment; only a power cut can take the last commits.
  db_.exec("PRAGMA synchronous = NORMAL");
  create_tables();
  SQLite::Statement row{db_, "SELECT value FROM meta WHERE key = 'head'"};
  if (row.executeStep())
    head_ = row.getColumn(0).getString();
}

void trace_database::create_tables() {
  SQLite::Transaction transaction{db_};
  db_.exec(tables);
  transaction.commit();
}

SQLite::Statement& trace_database::statement(const char* sql) {
  auto& kept = statements_[sql];
  if (!kept)
    kept = std::make_unique<SQLite::Statement>(db_, sql);
  kept->reset();
  kept->clearBindings();
  return *kept;
}

void trace_database::close_open_turns(const random_source& random, wall_time now) {
  // Workers are below their parents and end before them.
  const auto open =
      read_summaries(db_, "WHERE current_turn_id <> '' ORDER BY length(path) DESC, id");
  turn_closer closer{random, head_, now};
  std::vector<trace_record> records;
  for (const auto& session : open)
    for (auto& r : closer.close(session, running_tools(db_, session)))
      records.push_back(std::move(r));
  if (!records.empty())
    write(records);
}

trace_contents trace_database::contents() {
  trace_contents out;
  out.head = head_;
  for (auto& summary : read_summaries(db_, "ORDER BY id")) {
    session_record record;
    SQLite::Statement row{db_, "SELECT max(coalesce((SELECT max(id) FROM events WHERE session_id = "
                               "?1), ''), coalesce((SELECT max(complete_event) FROM messages WHERE "
                               "session_id = ?1), ''))"};
    row.bind(1, summary.id);
    if (row.executeStep())
      record.head = row.getColumn(0).getString();
    record.summary = std::move(summary);
    out.sessions.push_back(std::move(record));
  }
  return out;
}

void trace_database::write_event(const session_event& e) {
  head_ = std::max(head_, e.id);
  if (!catalog_row(e.type).persisted)
    return;
  auto& insert =
      statement("INSERT OR REPLACE INTO events(session_id, id, type, turn_id, actor, at, "
                "frame) VALUES(?, ?, ?, ?, ?, ?, ?)");
  SQLite::bind(insert, e.session_id, e.id, std::string{name_of(e.type)}, e.turn_id, e.actor,
               milliseconds_of(e.at), e.frame);
  insert.exec();
  if (const auto it = event_counts_.find(e.session_id); it != event_counts_.end())
    ++it->second;
}

void trace_database::write_message(const session_message& m) {
  auto& insert = statement("INSERT OR REPLACE INTO messages(session_id, complete_event, id, "
                           "turn_id, role, status, model, "
                           "stop_reason, content, usage, start_event, created) VALUES(?, ?, ?, ?, "
                           "?, ?, ?, ?, ?, ?, ?, ?)");
  SQLite::bind(insert, m.session_id, m.complete_event, m.id, m.turn_id, m.role,
               std::string{name_of(m.status)}, m.model, m.stop_reason, dumped(m.content),
               dumped(to_json_document(m.usage)), m.start_event, milliseconds_of(m.created));
  insert.exec();
}

void trace_database::write_tool(const tool_call_record& t) {
  auto& insert = statement("INSERT OR REPLACE INTO tool_calls(session_id, turn_id, tool_use_id, "
                           "tool_name, status, input, result) VALUES(?, ?, ?, ?, ?, ?, ?)");
  SQLite::bind(insert, t.session_id, t.turn_id, t.tool_use_id, t.tool_name, t.status,
               dumped(t.input), t.result);
  insert.exec();
}

void trace_database::write_summary(const session_summary& s) {
  auto& insert = statement(
      "INSERT INTO sessions(id, parent_id, path, workspace_path, page_url, active_model, "
      "policy_version, system_prompt, tools, script, cost_usd, turn_count, model_calls, "
      "current_turn_id, created) VALUES(?1, ?2, coalesce((SELECT path FROM sessions WHERE id = "
      "?2), "
      "'/') || ?1 || '/', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) ON CONFLICT(id) DO "
      "UPDATE SET active_model = excluded.active_model, cost_usd = excluded.cost_usd, "
      "turn_count = excluded.turn_count, model_calls = excluded.model_calls, "
      "current_turn_id = excluded.current_turn_id");
  SQLite::bind(insert, s.id, s.parent_id, s.workspace_path, s.page_url, s.active_model,
               s.routing_policy_version, s.system_prompt, dumped(s.tools), s.script,
               s.cost_so_far_usd, static_cast<std::int64_t>(s.turn_count),
               static_cast<std::int64_t>(s.model_calls), s.current_turn_id,
               milliseconds_of(s.created));
  insert.exec();
}

void trace_database::write_head() {
  auto& insert = statement("INSERT OR REPLACE INTO meta(key, value) VALUES('head', ?)");
  insert.bind(1, head_);
  insert.exec();
}

void trace_database::write(const std::vector<trace_record>& records) {
  SQLite::Transaction transaction{db_};
  for (const auto& r : records) {
    if (r.summary)
      write_summary(*r.summary);
    if (r.message)
      write_message(*r.message);
    if (r.tool)
      write_tool(*r.tool);
    if (r.event)
      write_event(*r.event);
  }
  write_head();
  transaction.commit();
}

bool trace_database::remove(const std::string& session_id) {
  SQLite::Statement find{db_, "SELECT path FROM sessions WHERE id = ?"};
  find.bind(1, session_id);
  if (!find.executeStep())
    return false;
  // Everything below a path begins with it; no id holds a byte above '~'.
  const auto path = find.getColumn(0).getString();
  find.reset();
  SQLite::Transaction transaction{db_};
  for (const char* table : {"events", "messages", "tool_calls"}) {
    SQLite::Statement erase{db_, std::string{"DELETE FROM "} + table +
                                     " WHERE session_id IN (SELECT id FROM sessions WHERE path >= "
                                     "?1 AND path < ?1 || '~')"};
    erase.bind(1, path);
    erase.exec();
  }
  SQLite::Statement erase{db_, "DELETE FROM sessions WHERE path >= ?1 AND path < ?1 || '~'"};
  erase.bind(1, path);
  erase.exec();
  transaction.commit();
  event_counts_.erase(session_id);
  return true;
}

void trace_database::prune_before(const std::string& session_id, const std::string& id) {
  SQLite::Transaction transaction{db_};
  auto& erase = statement("DELETE FROM events WHERE session_id = ? AND id <= ?");
  SQLite::bind(erase, session_id, id);
  erase.exec();
  auto& mark = statement("UPDATE sessions SET pruned = max(pruned, ?) WHERE id = ?");
  SQLite::bind(mark, id, session_id);
  mark.exec();
  transaction.commit();
  event_counts_.erase(session_id);
}

void trace_database::prune_by_count(const std::string& session_id, std::uint64_t most) {
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
  prune_before(session_id, id);
}

void trace_database::prune_by_age(wall_time oldest) {
  SQLite::Statement rows{db_, "SELECT s.id, (SELECT max(e.id) FROM events e WHERE e.session_id = "
                              "s.id AND e.id < ?) AS last FROM sessions s WHERE last IS NOT NULL"};
  rows.bind(1, first_id_at(id_kind::record, oldest));
  std::vector<std::pair<std::string, std::string>> due;
  while (rows.executeStep())
    due.emplace_back(rows.getColumn(0).getString(), rows.getColumn(1).getString());
  rows.reset();
  for (const auto& [session_id, id] : due)
    prune_before(session_id, id);
}

json trace_database::counts() {
  json out = json::object();
  for (const char* table : {"sessions", "messages"})
    out[table] = db_.execAndGet(std::string{"SELECT count(*) FROM "} + table).getInt64();
  return out;
}

} // namespace gasoline

#include "actors/agents/trace/trace_database.hpp"

#include "actors/agents/trace/open_turns.hpp"
#include "actors/agents/trace/session_rows.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/private_file.hpp"

#include <SQLiteCpp/VariadicBind.h>
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>

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
  created INTEGER NOT NULL, pruned TEXT NOT NULL DEFAULT '', grants TEXT NOT NULL DEFAULT '[]',
  queue TEXT NOT NULL DEFAULT '[]', submissions TEXT NOT NULL DEFAULT '[]') WITHOUT ROWID;
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

/// Of the tables above. A file without a number is of version 1.
constexpr std::int64_t schema_version = 2;

/// What brings the tables of one version to the next, from version 1 on.
constexpr const char* migrations[] = {
    "ALTER TABLE sessions ADD COLUMN grants TEXT NOT NULL DEFAULT '[]';"
    "ALTER TABLE sessions ADD COLUMN queue TEXT NOT NULL DEFAULT '[]';"
    "ALTER TABLE sessions ADD COLUMN submissions TEXT NOT NULL DEFAULT '[]'",
};

[[noreturn]] void refuse_later_version(std::int64_t version) {
  throw std::runtime_error("it has format " + std::to_string(version) +
                           " of a later version of Gasoline, and this one knows formats up to " +
                           std::to_string(schema_version) +
                           "; use that version, or another --state-dir");
}

/// Looks into the header of the file, before SQLite opens it and with that may write to it.
void refuse_if_later(const std::filesystem::path& file) {
  constexpr std::size_t version_at = 60; // four bytes, the greatest first
  std::array<unsigned char, version_at + 4> header{};
  std::ifstream in{file, std::ios::binary};
  if (!in.read(reinterpret_cast<char*>(header.data()), header.size()))
    return;
  std::int64_t version = 0;
  for (std::size_t i = version_at; i < header.size(); ++i)
    version = version * 256 + header[i];
  const std::string_view magic{reinterpret_cast<const char*>(header.data()), 15};
  if (magic == "SQLite format 3" && version > schema_version)
    refuse_later_version(version);
}

/// SQLite would make the file with the user's umask, and its companions with the file's mode; these
/// it never reaches by a link.
std::string made_private(const std::filesystem::path& file) {
  if (const auto opened = open_own_file(file, O_RDWR | O_CREAT); !opened) {
    auto sentence = opened.error().message;
    sentence.pop_back(); // the one that it becomes part of has its own dot
    throw std::runtime_error(sentence);
  }
  refuse_if_later(file);
  return file.string();
}

std::int64_t milliseconds_of(wall_time at) {
  return at.time_since_epoch().count();
}

} // namespace

trace_database::trace_database(const std::filesystem::path& file)
    : db_(made_private(file), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 5'000) {
  bring_up_to_date();
  SQLite::Statement row{db_, "SELECT value FROM meta WHERE key = 'head'"};
  if (row.executeStep())
    head_ = row.getColumn(0).getString();
}

void trace_database::bring_up_to_date() {
  const auto version = db_.execAndGet("PRAGMA user_version").getInt64();
  if (version > schema_version) // told by the log that belongs to the file, not by its header
    refuse_later_version(version);
  const bool is_new =
      db_.execAndGet("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").getInt64() == 0;
  if (is_new)
    db_.exec("PRAGMA auto_vacuum = INCREMENTAL"); // what retention frees goes back to the disk
  db_.exec("PRAGMA journal_mode = WAL");
  // Survives the death of the process at any moment; only a power cut can take the last commits.
  db_.exec("PRAGMA synchronous = NORMAL");
  SQLite::Transaction transaction{db_};
  db_.exec(tables);
  for (auto v = std::max<std::int64_t>(version, 1); !is_new && v < schema_version; ++v)
    db_.exec(migrations[v - 1]);
  db_.exec("PRAGMA user_version = " + std::to_string(schema_version));
  transaction.commit();
}

SQLite::Statement& trace_database::statement(const char* sql) {
  auto& kept = statements_[sql];
  if (!kept)
    kept = std::make_unique<SQLite::Statement>(db_, sql);
  kept->tryReset(); // answers how the last run ended, and that is known
  kept->clearBindings();
  return *kept;
}

void trace_database::close_open_turns(const random_source& random, wall_time now) {
  const auto records = ends_of_open_turns(db_, random, head_, now);
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
  if (!catalog_row(e.type).persisted)
    return;
  auto& insert =
      statement("INSERT OR REPLACE INTO events(session_id, id, type, turn_id, actor, at, "
                "frame) VALUES(?, ?, ?, ?, ?, ?, ?)");
  SQLite::bind(insert, e.session_id, e.id, std::string{name_of(e.type)}, e.turn_id, e.actor,
               milliseconds_of(e.at), e.frame);
  insert.exec();
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
  auto& insert =
      statement("INSERT INTO sessions(id, parent_id, path, workspace_path, page_url, active_model, "
                "policy_version, system_prompt, tools, script, cost_usd, turn_count, model_calls, "
                "current_turn_id, created, grants, queue, submissions) VALUES(?1, ?2, "
                "coalesce((SELECT path FROM sessions WHERE id = "
                "?2), "
                "'/') || ?1 || '/', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, "
                "?15, ?16, ?17) ON CONFLICT(id) DO "
                "UPDATE SET active_model = excluded.active_model, cost_usd = excluded.cost_usd, "
                "turn_count = excluded.turn_count, model_calls = excluded.model_calls, "
                "current_turn_id = excluded.current_turn_id, grants = excluded.grants, "
                "queue = excluded.queue, submissions = excluded.submissions");
  SQLite::bind(insert, s.id, s.parent_id, s.workspace_path, s.page_url, s.active_model,
               s.routing_policy_version, s.system_prompt.str(), dumped(s.tools), s.script.str(),
               s.cost_so_far_usd, static_cast<std::int64_t>(s.turn_count),
               static_cast<std::int64_t>(s.model_calls), s.current_turn_id,
               milliseconds_of(s.created), dumped(s.grants), dumped(to_json_document(s.queue)),
               dumped(to_json_document(s.submissions)));
  insert.exec();
}

void trace_database::write_head(const std::string& head) {
  auto& insert = statement("INSERT OR REPLACE INTO meta(key, value) VALUES('head', ?)");
  insert.bind(1, head);
  insert.exec();
}

void trace_database::write(const std::vector<trace_record>& records) {
  SQLite::Transaction transaction{db_};
  auto head = head_;
  for (const auto& r : records) {
    if (r.summary)
      write_summary(*r.summary);
    if (r.message)
      write_message(*r.message);
    if (r.tool)
      write_tool(*r.tool);
    if (!r.event)
      continue;
    write_event(*r.event);
    head = std::max(head, r.event->id);
  }
  write_head(head);
  transaction.commit();
  head_ = std::move(head);
  for (const auto& r : records)
    if (r.event && catalog_row(r.event->type).persisted)
      if (const auto it = event_counts_.find(r.event->session_id); it != event_counts_.end())
        ++it->second;
}

bool trace_database::remove(const agent_session_id& session_id) {
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

std::uint64_t trace_database::bytes() {
  const auto count = [&](const char* sql) {
    auto& row = statement(sql);
    row.executeStep();
    const auto out = static_cast<std::uint64_t>(row.getColumn(0).getInt64());
    row.reset();
    return out;
  };
  return (count("PRAGMA page_count") - count("PRAGMA freelist_count")) * count("PRAGMA page_size");
}

json trace_database::counts() {
  json out = json::object();
  for (const char* table : {"sessions", "messages"})
    out[table] = db_.execAndGet(std::string{"SELECT count(*) FROM "} + table).getInt64();
  return out;
}

} // namespace gasoline

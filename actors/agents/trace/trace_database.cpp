#include "actors/agents/trace/trace_database.hpp"

#include "messages/base/json_text.hpp"
#include "messages/base/private_file.hpp"

#include <SQLiteCpp/VariadicBind.h>
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
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
  s.grants = json::parse(row.getColumn(14).getString()).get<std::vector<std::string>>();
  s.queue = queue_from_json(json::parse(row.getColumn(15).getString()));
  s.submissions = submissions_from_json(json::parse(row.getColumn(16).getString()));
  return s;
}

std::vector<session_summary> read_summaries(SQLite::Database& db, const std::string& where) {
  SQLite::Statement rows{db, "SELECT id, parent_id, workspace_path, page_url, active_model, "
                             "policy_version, system_prompt, tools, script, cost_usd, turn_count, "
                             "model_calls, current_turn_id, created, grants, queue, submissions "
                             "FROM sessions " +
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

/// The payload of the newest event of a turn that is of one of these types (a list in SQL); null:
/// there is none.
json newest_payload(SQLite::Database& db, const session_summary& session, const char* types,
                    std::string* type_name) {
  SQLite::Statement rows{db, std::string{"SELECT type, frame FROM events WHERE session_id = ? AND "
                                         "turn_id = ? AND type IN ("} +
                                 types + ") ORDER BY id DESC LIMIT 1"};
  SQLite::bind(rows, session.id, session.current_turn_id);
  if (!rows.executeStep())
    return nullptr;
  *type_name = rows.getColumn(0).getString();
  auto frame = json::parse(rows.getColumn(1).getString(), nullptr, false);
  return frame.is_object() ? frame["event"]["payload"] : json();
}

/// The model call of a turn that had not ended, as `llm.call_started` told it; null: none.
json open_call(SQLite::Database& db, const session_summary& session) {
  std::string name;
  auto payload = newest_payload(
      db, session, "'llm.call_started', 'llm.call_completed', 'llm.call_failed'", &name);
  return name == name_of(type::llm_call_started) ? payload : json();
}

/// The delegation of a tool call that had not ended, as `delegate.started` told it; null: none.
json open_delegation(SQLite::Database& db, const session_summary& session,
                     const std::string& tool_use_id) {
  SQLite::Statement rows{db, "SELECT type, frame FROM events WHERE session_id = ? AND turn_id = ? "
                             "AND type IN ('delegate.started', 'delegate.completed', "
                             "'delegate.failed') ORDER BY id"};
  SQLite::bind(rows, session.id, session.current_turn_id);
  json open;
  while (rows.executeStep()) {
    const auto frame = json::parse(rows.getColumn(1).getString(), nullptr, false);
    const auto payload = frame.is_object() ? frame["event"]["payload"] : json();
    if (!payload.is_object() || payload.value("tool_use_id", json()) != tool_use_id)
      continue;
    open = rows.getColumn(0).getString() == name_of(type::delegate_started) ? payload : json();
  }
  return open;
}

/// The permission requests of a turn that nobody had answered, as they were told.
std::vector<json> open_requests(SQLite::Database& db, const session_summary& session) {
  SQLite::Statement rows{db, "SELECT type, frame FROM events WHERE session_id = ? AND turn_id = ? "
                             "AND type IN ('permission.requested', 'permission.resolved') ORDER BY "
                             "id"};
  SQLite::bind(rows, session.id, session.current_turn_id);
  std::vector<json> open;
  while (rows.executeStep()) {
    const auto frame = json::parse(rows.getColumn(1).getString(), nullptr, false);
    const auto payload = frame.is_object() ? frame["event"]["payload"] : json();
    if (!payload.is_object())
      continue;
    if (rows.getColumn(0).getString() == name_of(type::permission_requested))
      open.push_back(payload);
    else
      std::erase_if(open, [&](const json& asked) {
        return asked.value("request_id", json()) == payload.value("request_id", json());
      });
  }
  return open;
}

/// What a turn had begun and not ended when its process died.
struct open_work {
  json call; ///< null: no model call was open
  std::vector<json> requests;
  std::vector<tool_call_record> tools;
  std::map<std::string, json> delegations; ///< by tool use id
};

open_work open_work_of(SQLite::Database& db, const session_summary& session) {
  open_work out;
  out.call = open_call(db, session);
  out.requests = open_requests(db, session);
  out.tools = running_tools(db, session);
  for (const auto& tool : out.tools)
    if (auto open = open_delegation(db, session, tool.tool_use_id); open.is_object())
      out.delegations.emplace(tool.tool_use_id, std::move(open));
  return out;
}

/// Numbers the events that end a turn which the last process has left open.
class turn_closer {
 public:
  turn_closer(const random_source& random, const std::string& floor, wall_time now)
      : ids_(random), now_(now) {
    ids_.raise_floor(floor);
  }

  /// As a cancel would have: what is innermost first.
  std::vector<trace_record> close(session_summary session, open_work work) {
    std::vector<trace_record> out;
    const auto turn_id = std::exchange(session.current_turn_id, {});
    const auto queue = std::exchange(session.queue, {});
    for (const auto& asked : work.requests)
      out.push_back(record(session, turn_id, type::permission_resolved,
                           {{"request_id", asked.value("request_id", "")},
                            {"tool_use_id", asked.value("tool_use_id", "")},
                            {"tool", asked.value("tool", "")},
                            {"decision", "deny"},
                            {"by", "server_restart"}}));
    if (work.call.is_object())
      out.push_back(record(session, turn_id, type::llm_call_failed,
                           {{"call_index", work.call.value("call_index", json(0))},
                            {"model", work.call.value("model", json(""))},
                            {"message_id", nullptr},
                            {"error_class", "cancelled"},
                            {"message", "The server was restarted while the model was answering."},
                            {"will_retry", false}}));
    for (auto& tool : work.tools) {
      if (const auto open = work.delegations.find(tool.tool_use_id); open != work.delegations.end())
        out.push_back(
            record(session, turn_id, type::delegate_failed,
                   {{"worker_session_id", open->second.value("worker_session_id", "")},
                    {"tool_use_id", tool.tool_use_id},
                    {"failure_mode", "server_restart"},
                    {"message", "The server was restarted while the worker was at work."}}));
      out.push_back(record(session, turn_id, type::tool_failed,
                           {{"tool_use_id", tool.tool_use_id},
                            {"tool_name", tool.tool_name},
                            {"error_class", "cancelled"},
                            {"message", "The server was restarted while the tool was running."}}));
      out.back().tool = std::make_shared<const tool_call_record>(std::move(tool));
    }
    if (!turn_id.empty())
      out.push_back(record(session, turn_id, type::turn_cancelled, {{"reason", "server_restart"}}));
    for (const auto& turn : queue)
      out.push_back(
          record(session, turn.turn_id, type::turn_cancelled, {{"reason", "server_restart"}}));
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
  // Workers are below their parents and end before them.
  const auto open =
      read_summaries(db_, "WHERE current_turn_id <> '' OR queue <> '[]' ORDER BY length(path) "
                          "DESC, id");
  turn_closer closer{random, head_, now};
  std::vector<trace_record> records;
  for (const auto& session : open)
    for (auto& r : closer.close(session, open_work_of(db_, session)))
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
               s.routing_policy_version, s.system_prompt, dumped(s.tools), s.script,
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

/// The last event of the turn in which that event lies; the event itself when it lies in none;
/// empty when the turn goes on.
std::string trace_database::end_of_turn(const std::string& session_id, const std::string& id) {
  auto& turn = statement("SELECT turn_id FROM events WHERE session_id = ? AND id <= ? ORDER BY id "
                         "DESC LIMIT 1");
  SQLite::bind(turn, session_id, id);
  const auto turn_id = turn.executeStep() ? turn.getColumn(0).getString() : std::string{};
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
std::string trace_database::oldest_id(const std::string& session_id) {
  auto& oldest =
      statement("SELECT min(coalesce((SELECT min(id) FROM events WHERE session_id = ?1), "
                "'~'), coalesce((SELECT min(complete_event) FROM messages WHERE "
                "session_id = ?1), '~'))");
  oldest.bind(1, session_id);
  auto out = oldest.executeStep() ? oldest.getColumn(0).getString() : std::string{"~"};
  oldest.reset();
  return out == "~" ? std::string{} : out;
}

/// Deletes the events of a session up to that one, and the messages and tool calls among them.
void trace_database::prune_through(const std::string& session_id, const std::string& id) {
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
  std::vector<std::pair<std::string, std::string>> due;
  while (rows.executeStep())
    due.emplace_back(rows.getColumn(0).getString(), rows.getColumn(1).getString());
  rows.reset();
  for (const auto& [session_id, id] : due) {
    const auto end = end_of_turn(session_id, id);
    prune_through(session_id, end.empty() ? id : end);
  }
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

void trace_database::prune_by_bytes(std::uint64_t most) {
  if (bytes() <= most)
    return;
  const auto enough = most - most / 10;                 // so that this is rare
  std::set<std::pair<std::string, std::string>> oldest; // event and its session
  for (const auto& session : read_summaries(db_, ""))
    if (auto id = oldest_id(session.id); !id.empty())
      oldest.emplace(std::move(id), session.id);
  while (!oldest.empty() && bytes() > enough) {
    const auto [id, session_id] = *oldest.begin();
    oldest.erase(oldest.begin());
    const auto end = end_of_turn(session_id, id);
    if (end.empty())
      continue; // the session has nothing but this turn
    prune_through(session_id, end);
    if (auto next = oldest_id(session_id); !next.empty())
      oldest.emplace(std::move(next), session_id);
  }
  db_.exec("PRAGMA incremental_vacuum");
}

json trace_database::counts() {
  json out = json::object();
  for (const char* table : {"sessions", "messages"})
    out[table] = db_.execAndGet(std::string{"SELECT count(*) FROM "} + table).getInt64();
  return out;
}

} // namespace gasoline

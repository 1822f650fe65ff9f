#include "actors/agents/trace/open_turns.hpp"

#include "actors/agents/trace/session_rows.hpp"

#include <SQLiteCpp/VariadicBind.h>

#include <map>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using type = session_event_type;

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
    const auto turn_id = std::exchange(session.current_turn_id, agent_turn_id{});
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
  trace_record record(const session_summary& session, const agent_turn_id& turn_id, type kind,
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

std::vector<trace_record> ends_of_open_turns(SQLite::Database& db, const random_source& random,
                                             const std::string& floor, wall_time now) {
  // Workers are below their parents and end before them.
  const auto open =
      read_summaries(db, "WHERE current_turn_id <> '' OR queue <> '[]' ORDER BY length(path) "
                         "DESC, id");
  turn_closer closer{random, floor, now};
  std::vector<trace_record> records;
  for (const auto& session : open)
    for (auto& r : closer.close(session, open_work_of(db, session)))
      records.push_back(std::move(r));
  return records;
}

} // namespace gasoline

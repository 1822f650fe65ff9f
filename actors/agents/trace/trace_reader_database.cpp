#include "actors/agents/trace/trace_database.hpp"

#include <SQLiteCpp/VariadicBind.h>

#include <algorithm>

namespace gasoline {
namespace {

using nlohmann::json;
using type = session_event_type;

constexpr const char* message_columns =
    "id, session_id, turn_id, role, status, model, stop_reason, content, usage, start_event, "
    "complete_event, created";

std::shared_ptr<session_message> read_message(SQLite::Statement& row) {
  auto m = std::make_shared<session_message>();
  m->id = agent_message_id{row.getColumn(0).getString()};
  m->session_id = agent_session_id{row.getColumn(1).getString()};
  m->turn_id = agent_turn_id{row.getColumn(2).getString()};
  m->role = row.getColumn(3).getString();
  m->status =
      parse_name<message_status>(row.getColumn(4).getString()).value_or(message_status::failed);
  m->model = row.getColumn(5).getString();
  m->stop_reason = row.getColumn(6).getString();
  m->content = json::parse(row.getColumn(7).getString());
  m->usage = usage_from_json(json::parse(row.getColumn(8).getString()));
  m->start_event = row.getColumn(9).getString();
  m->complete_event = row.getColumn(10).getString();
  m->created = wall_time{std::chrono::milliseconds{row.getColumn(11).getInt64()}};
  return m;
}

event_draft draft_of(const session_message& m, const std::string& actor, type kind, json payload) {
  event_draft draft;
  draft.type = kind;
  draft.turn_id = m.turn_id;
  draft.actor = actor;
  draft.payload = std::move(payload);
  return draft;
}

event_draft start_of(const session_message& m, const std::string& actor) {
  return draft_of(m, actor, type::message_start,
                  {{"message_id", m.id}, {"role", m.role}, {"model", m.model}});
}

event_draft completion_of(const session_message& m, const std::string& actor) {
  return draft_of(m, actor, type::message_complete,
                  {{"message_id", m.id},
                   {"stop_reason", m.stop_reason},
                   {"final_content", m.content},
                   {"usage", to_json_document(m.usage)}});
}

wall_time time_of(const std::string& event_id) {
  return time_of_id(event_id).value_or(wall_time{});
}

/// The condition that names the sessions of a range; `?1` is the session.
std::string sessions_condition(const event_range& range, std::string_view column) {
  if (!range.with_workers)
    return std::string{column} + " = ?1";
  return std::string{column} +
         " IN (SELECT id FROM sessions WHERE path >= (SELECT path FROM sessions WHERE id = ?1) AND "
         "path < (SELECT path FROM sessions WHERE id = ?1) || '~')";
}

} // namespace

trace_reader_database::trace_reader_database(const std::filesystem::path& file)
    : db_(file.string(), SQLite::OPEN_READONLY, 5'000) {}

session_events trace_reader_database::stored_events(const event_range& range,
                                                    const session_filter& filter,
                                                    std::uint64_t limit) {
  SQLite::Statement rows{db_, "SELECT id, session_id, type, turn_id, actor, at, frame FROM events "
                              "WHERE " +
                                  sessions_condition(range, "session_id") +
                                  " AND id > ?2 AND id <= ?3 ORDER BY id"};
  SQLite::bind(rows, range.session_id, range.after, range.upto);
  session_events out;
  while (out.size() < limit && rows.executeStep()) {
    auto e = std::make_shared<session_event>();
    e->id = rows.getColumn(0).getString();
    e->session_id = agent_session_id{rows.getColumn(1).getString()};
    e->type = parse_name<type>(rows.getColumn(2).getString()).value_or(type::other);
    e->turn_id = agent_turn_id{rows.getColumn(3).getString()};
    e->actor = rows.getColumn(4).getString();
    if (!filter.matches(*e, range.session_id))
      continue;
    e->at = wall_time{std::chrono::milliseconds{rows.getColumn(5).getInt64()}};
    e->frame = rows.getColumn(6).getString();
    out.push_back(std::move(e));
  }
  return out;
}

session_events trace_reader_database::message_events(const event_range& range,
                                                     const session_filter& filter,
                                                     const std::string& bound) {
  SQLite::Statement rows{
      db_, "SELECT m.id, m.session_id, m.turn_id, m.role, m.status, m.model, m.stop_reason, "
           "m.content, m.usage, m.start_event, m.complete_event, m.created, s.parent_id FROM "
           "messages m JOIN sessions s ON s.id = m.session_id WHERE " +
               sessions_condition(range, "m.session_id") +
               " AND m.complete_event > ?2 AND m.complete_event <= ?3 AND m.start_event <> '' AND "
               "m.start_event <= ?4"};
  SQLite::bind(rows, range.session_id, range.after, range.upto, bound);
  session_events out;
  while (rows.executeStep()) {
    const auto m = read_message(rows);
    const agent_session_id parent{rows.getColumn(12).getString()};
    const std::string actor = parent.empty() ? "agent" : "worker";
    const auto add = [&](const event_draft& draft, const std::string& id) {
      if (id <= range.after || id > bound)
        return;
      auto e = make_session_event(draft, id, m->session_id, parent, time_of(id));
      if (filter.matches(*e, range.session_id))
        out.push_back(std::move(e));
    };
    add(start_of(*m, actor), m->start_event);
    add(completion_of(*m, actor), m->complete_event);
  }
  return out;
}

event_page trace_reader_database::replay(const event_range& range, const session_filter& filter,
                                         std::uint64_t limit) {
  event_page page;
  page.events = stored_events(range, filter, limit);
  page.last = page.events.size() < limit;
  const auto bound = page.last ? range.upto : page.events.back()->id;
  for (auto& e : message_events(range, filter, bound))
    page.events.push_back(std::move(e));
  std::sort(page.events.begin(), page.events.end(),
            [](const session_event_ptr& a, const session_event_ptr& b) { return a->id < b->id; });
  return page;
}

range_count trace_reader_database::count(const event_range& range, const session_filter& filter,
                                         std::uint64_t cap) {
  range_count out;
  SQLite::Statement pruned{db_, "SELECT coalesce(max(pruned), '') FROM sessions WHERE " +
                                    sessions_condition(range, "id")};
  pruned.bind(1, range.session_id);
  if (pruned.executeStep())
    out.pruned_through = pruned.getColumn(0).getString();
  SQLite::Statement rows{db_, "SELECT session_id, type, actor FROM events WHERE " +
                                  sessions_condition(range, "session_id") +
                                  " AND id > ?2 AND id <= ?3"};
  SQLite::bind(rows, range.session_id, range.after, range.upto);
  session_event e;
  while (out.matching <= cap && rows.executeStep()) {
    e.session_id = agent_session_id{rows.getColumn(0).getString()};
    e.type = parse_name<type>(rows.getColumn(1).getString()).value_or(type::other);
    e.actor = rows.getColumn(2).getString();
    if (filter.matches(e, range.session_id))
      ++out.matching;
  }
  if (out.matching <= cap)
    out.matching += message_events(range, filter, range.upto).size();
  return out;
}

message_list trace_reader_database::messages(const message_query& query) {
  std::string sql =
      std::string{"SELECT "} + message_columns + " FROM messages WHERE session_id = ?1";
  if (!query.id.empty())
    sql += " AND id = ?2";
  else if (!query.before.empty())
    sql += " AND complete_event < (SELECT complete_event FROM messages WHERE session_id = ?1 AND "
           "id = ?2)";
  if (!query.upto_event.empty())
    sql += " AND complete_event <= ?3";
  sql += " ORDER BY complete_event DESC LIMIT ?4";
  SQLite::Statement rows{db_, sql};
  rows.bind("?1", query.session_id);
  if (!query.id.empty() || !query.before.empty())
    rows.bind("?2", query.id.empty() ? query.before : query.id);
  if (!query.upto_event.empty())
    rows.bind("?3", query.upto_event);
  rows.bind("?4", query.limit == 0 ? std::int64_t{-1} : static_cast<std::int64_t>(query.limit));
  message_list out;
  while (rows.executeStep())
    out.push_back(read_message(rows));
  std::reverse(out.begin(), out.end());
  return out;
}

} // namespace gasoline

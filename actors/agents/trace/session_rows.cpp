#include "actors/agents/trace/session_rows.hpp"

#include <chrono>

namespace gasoline {
namespace {

using nlohmann::json;

session_summary read_summary(SQLite::Statement& row) {
  session_summary s;
  s.id = agent_session_id{row.getColumn(0).getString()};
  s.parent_id = agent_session_id{row.getColumn(1).getString()};
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
  s.current_turn_id = agent_turn_id{row.getColumn(12).getString()};
  s.created = wall_time{std::chrono::milliseconds{row.getColumn(13).getInt64()}};
  s.grants = json::parse(row.getColumn(14).getString()).get<std::vector<std::string>>();
  s.queue = queue_from_json(json::parse(row.getColumn(15).getString()));
  s.submissions = submissions_from_json(json::parse(row.getColumn(16).getString()));
  return s;
}

} // namespace

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

} // namespace gasoline

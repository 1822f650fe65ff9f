#include "actors/push/channel_notification.hpp"

#include "actors/alerts/hook_text.hpp"
#include "messages/base/json/json_text.hpp"

#include <nlohmann/json.hpp>

namespace gasoline {

std::string channel_notification(const std::vector<merged_alert>& members,
                                 const limits_of<alert_room, push_room>& limit) {
  const auto& worst = members.front();
  // Keys are identifiers: others are dropped by the agent.
  const nlohmann::json meta{{"severity", name_of(worst.shown->level)},
                            {"alerts", std::to_string(members.size())},
                            {"id", "alert_" + std::to_string(worst.id)}};
  const nlohmann::json message{
      {"jsonrpc", "2.0"},
      {"method", "notifications/claude/channel"},
      {"params", {{"content", lines_text(members, limit)}, {"meta", meta}}}};
  return dumped(message);
}

} // namespace gasoline

#include "actors/agents/turn/conversation.hpp"

#include <set>

namespace gasoline {
namespace {

using nlohmann::json;

bool is_block(const json& block, std::string_view type) {
  return block.is_object() && block.value("type", "") == type;
}

/// Only the text of an answer that did not come to its end.
session_message_ptr text_only(const session_message_ptr& message) {
  auto copy = std::make_shared<session_message>(*message);
  copy->content = json::array();
  for (const auto& block : message->content)
    if (is_block(block, "text"))
      copy->content.push_back(block);
  return copy;
}

std::vector<std::string> tool_ids(const session_message& message, std::string_view type,
                                  const char* key) {
  std::vector<std::string> out;
  for (const auto& block : message.content)
    if (is_block(block, type) && block.contains(key) && block[key].is_string())
      out.push_back(block[key].get<std::string>());
  return out;
}

/// The results that are missing after `asked`, given the message that follows it (may be null).
json missing_results(const session_message& asked, const session_message* following) {
  std::set<std::string> given;
  if (following != nullptr)
    for (auto& id : tool_ids(*following, "tool_result", "tool_use_id"))
      given.insert(std::move(id));
  auto out = json::array();
  for (const auto& id : tool_ids(asked, "tool_use", "id"))
    if (given.count(id) == 0)
      out.push_back({{"type", "tool_result"},
                     {"tool_use_id", id},
                     {"content", "The tool was not run to its end: the turn had ended."},
                     {"is_error", true}});
  return out;
}

session_message_ptr user_message(const session_message& beside, json content) {
  auto message = std::make_shared<session_message>();
  message->id = beside.id;
  message->session_id = beside.session_id;
  message->turn_id = beside.turn_id;
  message->role = "user";
  message->content = std::move(content);
  return message;
}

} // namespace

message_list conversation_for_model(const message_list& history) {
  message_list kept;
  for (const auto& message : history) {
    auto m = message->status == message_status::complete ? message : text_only(message);
    if (!m->content.empty())
      kept.push_back(std::move(m));
  }
  message_list out;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    out.push_back(kept[i]);
    if (kept[i]->role != "assistant")
      continue;
    auto missing = missing_results(*kept[i], i + 1 < kept.size() ? kept[i + 1].get() : nullptr);
    if (!missing.empty())
      out.push_back(user_message(*kept[i], std::move(missing)));
  }
  return out;
}

} // namespace gasoline

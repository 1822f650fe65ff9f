#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gasoline::test::traces {

using nlohmann::json;

inline json part(const json& object, const char* key) {
  return object.is_object() ? object.value(key, json()) : json();
}

inline std::string text_part(const json& object, const char* key) {
  const auto value = part(object, key);
  return value.is_string() ? value.get<std::string>() : std::string{};
}

/// What the frames have told so far of one session: which messages, tools and turns there are.
struct told_session {
  std::vector<std::string> messages;
  std::vector<std::pair<std::string, std::string>> tools; // id, name
  std::string turn;
};

/// The same of all sessions that were told of.
class told {
 public:
  void take(const json& frame) {
    if (text_part(frame, "type") == "snapshot")
      take_snapshot(frame);
    else
      take_event(frame.at("event"));
  }

  told_session& session(const std::string& id) { return sessions_[id]; }

  std::string main;
  std::vector<std::string> workers;
  std::set<std::string> of_user;
  std::set<std::string> open;
  std::set<std::string> out_of_order;

 private:
  void take_snapshot(const json& frame) {
    main = text_part(frame.at("session"), "id");
    auto& here = sessions_[main] = {};
    workers.clear();
    open.clear();
    here.turn = text_part(frame.at("session"), "current_turn_id");
    for (const auto& message : frame.at("messages"))
      take_past(here, message);
  }

  void take_past(told_session& here, const json& message) {
    const auto& content = message.at("content");
    if (content.at(0).at("type") == "tool_result")
      return;
    here.messages.push_back(message.at("id"));
    if (message.at("role") == "user")
      of_user.insert(message.at("id").get<std::string>());
    for (const auto& block : content)
      if (block.at("type") == "tool_use" && message.at("status") == "complete")
        here.tools.emplace_back(block.at("id"), block.at("name"));
  }

  void take_event(const json& event) {
    const auto id = event.at("session_id").get<std::string>();
    if (main.empty())
      main = id;
    add_worker(id);
    const auto type = event.at("type").get<std::string>();
    const auto& payload = event.at("payload");
    auto& here = sessions_[id];
    if (type == "turn.started")
      here.turn = text_part(event, "turn_id");
    if (type == "delegate.started")
      add_worker(text_part(payload, "worker_session_id"));
    if (type == "tool.called")
      here.tools.emplace_back(payload.at("tool_use_id"), payload.at("tool_name"));
    if (type.starts_with("turn.") && type != "turn.started")
      open.clear();
    if (payload.contains("message_id") && payload.at("message_id").is_string())
      take_message(here, type, payload);
  }

  void add_worker(const std::string& id) {
    if (id != main && std::find(workers.begin(), workers.end(), id) == workers.end())
      workers.push_back(id);
  }

  void take_message(told_session& here, const std::string& type, const json& payload) {
    const auto id = payload.at("message_id").get<std::string>();
    const bool is_piece = payload.contains("content_block_index");
    const bool is_user = payload.contains("content");
    if (!is_piece && !is_user && type != "message.start" && type != "message.complete")
      return;
    auto& ids = here.messages;
    const bool is_new = std::find(ids.begin(), ids.end(), id) == ids.end();
    if (is_new)
      ids.push_back(id);
    if (is_user)
      of_user.insert(id);
    else if (type == "message.complete")
      open.erase(id);
    else if (is_new)
      open.insert(id);
    if (is_piece)
      take_index(id, payload.at("content_block_index"));
  }

  void take_index(const std::string& id, std::uint64_t index) {
    auto& highest = highest_[id];
    if (index < highest)
      out_of_order.insert(id);
    highest = std::max(highest, index);
  }

  std::map<std::string, told_session> sessions_;
  std::map<std::string, std::uint64_t> highest_; // block of each message
};

} // namespace gasoline::test::traces

#pragma once

#include "actors/agents/turn/message_assembly.hpp"
#include "config/settings.hpp"
#include "messages/agents/session_event.hpp"
#include "messages/agents/session_message.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gasoline {

/// One event that an external agent has sent, checked, and what is stored with it.
struct external_event {
  event_draft draft;
  std::shared_ptr<session_message> message; ///< may be null; the session fills in the rest
  std::shared_ptr<tool_call_record> tool;   ///< may be null; without session
};

/// Takes what agents that run elsewhere feed into a session: every event is in the catalog and
/// carries what the catalog says; a message is started before it is written, and a turn before
/// anything happens in it. History is kept as of our own turns: the user's message, answers, tool
/// results, calls of tools. The caps of our own messages hold, and a message that is never finished
/// is finished here, so that clients that come meanwhile have little to catch up with. One such
/// object lasts for one session.
class external_events {
 public:
  external_events() = default;

  /// `make_id` makes ids of messages that come without one. What is being written comes out of
  /// `share`.
  external_events(const limits_of<ingest_room, session_room>& limit,
                  std::function<agent_message_id()> make_id, budget_share share = {})
      : limit_(limit), make_id_(std::move(make_id)), share_(std::move(share)) {}

  /// Reads `{"events":[{type, turn_id?, actor?, payload}…]}` or one such event. All are taken or
  /// none: the error names the index of the first bad one. Answers what is to be told, which can be
  /// more than was sent.
  result_or<std::vector<external_event>> read(const nlohmann::json& body);

  /// The turn in flight; empty: none.
  const agent_turn_id& turn() const { return state_.turn; }

 private:
  struct open_message {
    std::string role;
    std::string model;
    std::string actor;
    std::uint64_t begun = 0; ///< `known::events` then
  };

  struct known {
    agent_turn_id turn;
    std::map<agent_message_id, open_message> open;
    std::uint64_t open_bytes = 0;  ///< of all messages that are being written
    std::uint64_t shown_bytes = 0; ///< of their events, which whoever attaches is shown
    std::uint64_t events = 0;      ///< so far

    std::uint64_t held() const { return open_bytes + shown_bytes; }
    void forget_open() {
      open.clear();
      open_bytes = 0;
      shown_bytes = 0;
    }
  };

  result_or<external_event> read_one(const nlohmann::json& item, known& state) const;
  result_or<external_event> read_streaming(external_event event, known& state) const;
  void keep_history(external_event event, std::vector<external_event>& out);
  void keep_user_message(external_event& event);
  void keep_tool(external_event& event);
  void attach_results(external_event& event);
  external_event completion_of(const agent_message_id& id, const open_message& message,
                               const agent_turn_id& turn_id);
  using running_calls = std::map<std::string, tool_call_record>; // by tool use id
  void forget_running(running_calls::iterator it);
  void finish_messages(const agent_turn_id& turn_id, std::vector<external_event>& out);
  void finish_oldest(std::vector<external_event>& out);

  limits_of<ingest_room, session_room> limit_;
  std::function<agent_message_id()> make_id_;
  budget_share share_;
  known state_;

  /// A message that is being written, put together as our own are.
  struct assembly {
    std::unique_ptr<std::set<std::string>> tool_use_ids;
    message_assembly content;
    open_message about;
  };

  std::map<agent_message_id, assembly> assemblies_;
  running_calls running_;
  std::uint64_t running_bytes_ = 0;
  nlohmann::json results_ = nlohmann::json::array(); // of tools, not stored yet
  std::uint64_t results_bytes_ = 0;
};

} // namespace gasoline

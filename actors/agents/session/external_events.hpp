#pragma once

#include "config/settings.hpp"
#include "messages/agents/session_event.hpp"
#include "messages/agents/session_message.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// One event that an external agent has sent, checked.
struct external_event {
  event_draft draft;
  std::shared_ptr<session_message>
      message; ///< with `message.complete`; the session fills in the rest
};

/// Checks what agents that run elsewhere feed into a session: every event is in the catalog and
/// carries what the catalog says; a message is started before it is written, and a turn before
/// anything happens in it. One check lasts for one session.
class external_events {
 public:
  /// Reads `{"events":[{type, turn_id?, actor?, payload}…]}` or one such event. All are taken or
  /// none: the error names the index of the first bad one.
  result_or<std::vector<external_event>> read(const nlohmann::json& body, std::uint64_t most);

  /// The turn in flight; empty: none.
  const std::string& turn() const { return state_.turn; }

 private:
  struct open_message {
    std::string role;
    std::string model;
  };

  struct known {
    std::string turn;
    std::map<std::string, open_message> open; // by message id
  };

  static result_or<external_event> read_one(const nlohmann::json& item, known& state);

  known state_;
};

} // namespace gasoline

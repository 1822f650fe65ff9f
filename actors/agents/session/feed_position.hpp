#pragma once

#include "messages/agents/session_actors.hpp"

#include <list>
#include <memory>
#include <string>

namespace gasoline {

/// Where the stream of one session stands: its newest event and the transient events of messages
/// that are still being written, which a client that attaches now must get.
/// Those are in no snapshot and in no store until `message.complete`.
class feed_position {
 public:
  /// `head`: the newest stored event, or an id made now when there is none.
  feed_position(agent_session_id session_id, std::string head)
      : session_id_(std::move(session_id)), head_(std::move(head)) {}

  /// The event is shown now; `summary` is what the session is before it.
  void show(const session_event_ptr& e, const std::shared_ptr<const session_summary>& summary);

  /// Where a client attaches that wants the events of workers too, or not; `summary` is what the
  /// session is now.
  attach_point attach(bool with_workers, const session_summary& summary) const;

  const std::string& head() const { return head_; }

  /// Whether that message is being written.
  bool is_open(const agent_message_id& message_id) const;

 private:
  struct open_message {
    agent_message_id id;
    agent_session_id session_id;
    agent_turn_id turn_id;
    std::string before; // the head when it was started
    std::shared_ptr<const session_summary> summary;
    session_events events;
  };

  std::list<open_message>::iterator find(const agent_message_id& message_id);

  agent_session_id session_id_;
  std::string head_;
  std::list<open_message> open_; // in the order in which they were started
};

} // namespace gasoline

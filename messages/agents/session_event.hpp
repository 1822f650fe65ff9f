#pragma once

#include "messages/base/enum_names.hpp"
#include "messages/base/identity/typed_id.hpp"
#include "messages/base/time.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The events of an agent session, in the order in which filters list them. `other` is an event
/// whose type is not in the catalog: it is transient, and comes to those who asked for events of
/// every type, since nobody can have asked for it by name.
enum class session_event_type : std::uint8_t {
  turn_queued,
  turn_started,
  turn_completed,
  turn_cancelled,
  turn_cancel_requested,
  route_decided,
  llm_call_started,
  llm_call_completed,
  llm_call_failed,
  tool_called,
  tool_completed,
  tool_failed,
  permission_requested,
  permission_resolved,
  delegate_started,
  delegate_completed,
  delegate_failed,
  feedback_recorded,
  alert_raised,
  bus_handler_warning,
  bus_subscriber_unregistered,
  message_start,
  text_delta,
  thinking_delta,
  tool_use_start,
  tool_use_input_delta,
  tool_use_end,
  message_complete,
  other
};

inline constexpr std::size_t session_event_types = 28; ///< without `other`

template <>
struct enum_table<session_event_type> {
  static constexpr std::array<std::pair<session_event_type, std::string_view>, session_event_types>
      rows{{
          {session_event_type::turn_queued, "turn.queued"},
          {session_event_type::turn_started, "turn.started"},
          {session_event_type::turn_completed, "turn.completed"},
          {session_event_type::turn_cancelled, "turn.cancelled"},
          {session_event_type::turn_cancel_requested, "turn.cancel_requested"},
          {session_event_type::route_decided, "route.decided"},
          {session_event_type::llm_call_started, "llm.call_started"},
          {session_event_type::llm_call_completed, "llm.call_completed"},
          {session_event_type::llm_call_failed, "llm.call_failed"},
          {session_event_type::tool_called, "tool.called"},
          {session_event_type::tool_completed, "tool.completed"},
          {session_event_type::tool_failed, "tool.failed"},
          {session_event_type::permission_requested, "permission.requested"},
          {session_event_type::permission_resolved, "permission.resolved"},
          {session_event_type::delegate_started, "delegate.started"},
          {session_event_type::delegate_completed, "delegate.completed"},
          {session_event_type::delegate_failed, "delegate.failed"},
          {session_event_type::feedback_recorded, "feedback.recorded"},
          {session_event_type::alert_raised, "alert.raised"},
          {session_event_type::bus_handler_warning, "bus.handler_warning"},
          {session_event_type::bus_subscriber_unregistered, "bus.subscriber_unregistered"},
          {session_event_type::message_start, "message.start"},
          {session_event_type::text_delta, "text.delta"},
          {session_event_type::thinking_delta, "thinking.delta"},
          {session_event_type::tool_use_start, "tool.use_start"},
          {session_event_type::tool_use_input_delta, "tool.use_input_delta"},
          {session_event_type::tool_use_end, "tool.use_end"},
          {session_event_type::message_complete, "message.complete"},
      }};
};

/// The kinds of JSON value that a payload field accepts; a set of bits.
enum class json_kinds : std::uint8_t {
  string = 1,
  integer = 2,
  number = 4, ///< integers as well
  boolean = 8,
  object = 16,
  array = 32,
  null = 64
};

constexpr json_kinds operator|(json_kinds a, json_kinds b) {
  return static_cast<json_kinds>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}

/// One field of a payload.
struct payload_field {
  std::string_view name;
  json_kinds kinds = json_kinds::string;
  bool required = false; ///< external agents must give it; the engine's own events always do
};

/// One row of the catalog: what an event is and what it carries.
struct session_event_row {
  session_event_type type = session_event_type::other;
  bool persisted = false; ///< false: streaming-only
  bool in_chat = false;   ///< part of `preset:chat`
  bool of_turn = false;   ///< its envelope carries `turn_id`
  std::vector<payload_field> fields;
};

/// The one table of event types, in the order of the enum.
const std::vector<session_event_row>& session_event_catalog();

/// The row of a type; `other` has a row too (no fields, transient).
const session_event_row& catalog_row(session_event_type type);

/// Checks a payload against the catalog: an object with every required field, each of its kind.
/// Unknown fields pass. Answers what is wrong as a sentence, or nothing.
std::optional<std::string> payload_fault(session_event_type type, const nlohmann::json& payload);

/// An event before its session has numbered it.
struct event_draft {
  session_event_type type = session_event_type::other;
  std::string other_name; ///< the type's name when `type` is `other`
  agent_turn_id turn_id;  ///< empty: none
  std::string actor;      ///< `user`, `agent`, `worker`, `system`, or an external agent's own name
  nlohmann::json payload; ///< an object
};

/// A numbered event; shared by the store and all clients.
struct session_event {
  std::string id; ///< `evt_…`; order of ids is order of events within a session and its workers
  session_event_type type = session_event_type::other;
  agent_session_id session_id;
  agent_turn_id turn_id;
  std::string actor;
  agent_message_id message_id; ///< the payload's `message_id` of streaming events; else empty
  wall_time at{};
  std::string frame; ///< `{"type":"event","event":{…}}`; stored, sent and replayed as it is
};

using session_event_ptr = std::shared_ptr<const session_event>;

/// Events in order of their ids.
using session_events = std::vector<session_event_ptr>;

/// One WebSocket text frame. Frames of events alias the event, so that all clients share one text.
using frame_text = std::shared_ptr<const std::string>;

/// How much may wait in a client's socket: of live frames little, since the bound on its queue does
/// not see it; more while frames are sent as fast as it reads them and are not counted.
enum class frame_pace : std::uint8_t { live, replay };

/// The frame of an event, sharing its memory.
frame_text frame_of(const session_event_ptr& e);

/// Numbers a draft: adds id, session and time, and writes the frame. `parent_session_id` may be
/// empty. Ill-formed UTF-8 in the payload becomes U+FFFD.
session_event_ptr make_session_event(const event_draft& draft, std::string id,
                                     agent_session_id session_id,
                                     const agent_session_id& parent_session_id, wall_time at);

} // namespace gasoline

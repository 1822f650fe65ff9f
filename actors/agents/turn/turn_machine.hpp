#pragma once

#include "actors/agents/turn/message_assembly.hpp"
#include "messages/agents/model_call.hpp"
#include "messages/agents/session_actors.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What a turn begins with.
struct turn_setup {
  agent_session_id session_id;
  agent_turn_id turn_id;
  std::string provider;
  std::string model; ///< without the provider's name
  std::string routing_policy_version;
  std::string actor = "agent";        ///< `worker` in a worker session
  nlohmann::json user_content;        ///< content blocks of the user's message
  std::uint64_t first_call_index = 0; ///< model calls of the session before this turn
  std::uint64_t tool_count = 0;       ///< tools that the model is offered
  std::optional<model_price> price;   ///< empty: what a call costs is known only from its provider
  limits_of<ingest_room, session_room> limit;
  std::shared_ptr<byte_budget> answers; ///< of all sessions; null: there is no bound
  /// What the owner's rules say of a call, without what was allowed since the turn began.
  std::function<permission_verdict(const requested_tool&)> permission_of;
  std::function<std::string(id_kind)> make_id;
  std::function<wall_time()> wall_now;
};

/// What whoever drives the machine has to do, after emitting `steps` in order.
struct turn_actions {
  std::vector<session_step> steps;
  bool prepare_call = false;  ///< call `begin_call` with the alerts that the model has not seen
  bool start_call = false;    ///< start the model call
  bool stop_call = false;     ///< drop the model call that is running
  bool await_release = false; ///< call `on_released` once `steps` are released
  std::vector<requested_tool> start_tools;
  std::vector<std::string> await_permissions; ///< give up waiting for these after
                                              ///< `limits.session.permission_ms`
  std::vector<std::string> cancel_tools;      ///< ids of running tools
  std::optional<std::uint64_t> retry_in_ms;   ///< call `on_retry` after that time
  bool finished = false;                      ///< nothing more will come of this turn
};

/// The states and event sequences of one turn, without actors and
/// clocks: inputs come in any order and at any time, and each turn ends with exactly one of
/// `turn.completed` and `turn.cancelled`.
class turn_machine {
 public:
  explicit turn_machine(turn_setup setup) : setup_(std::move(setup)) {}

  /// The turn starts.
  turn_actions begin(mono_time now);

  /// The next model call starts; each line tells one alert.
  turn_actions begin_call(const std::vector<std::string>& alert_lines, mono_time now);

  turn_actions on_chunk(const provider_chunk& chunk, mono_time now);
  turn_actions on_retry();
  turn_actions on_released(mono_time now);
  turn_actions on_outcome(const tool_outcome& outcome, mono_time now);

  /// Whether that permission request waits for an answer.
  bool awaits_permission(std::string_view request_id) const;

  /// A person has decided about a request; `by` is who.
  turn_actions on_permission(std::string_view request_id, permission_decision decision,
                             std::string_view by, mono_time now);

  /// A running tool reports something of its own.
  turn_actions on_tool_event(event_draft draft);

  turn_actions on_cancel(std::string_view reason, mono_time now);

  /// Cancelled tools that have not ended by now are given up.
  turn_actions on_cancel_deadline(mono_time now);

  /// The messages of this turn so far, oldest first.
  const std::vector<session_message_ptr>& messages() const { return messages_; }

  std::uint64_t call_index() const { return setup_.first_call_index + calls_ - 1; }
  bool finished() const { return phase_ == phase::finished; }
  bool cancelling() const { return phase_ == phase::cancelling; }

 private:
  enum class phase : std::uint8_t {
    preparing,  ///< before a model call
    calling,    ///< a model call is running
    waiting,    ///< before the retry of a model call
    seam,       ///< tools are wanted, none has been started
    tools,      ///< tools are running
    cancelling, ///< cancelled, but tools are still ending
    finished
  };

  struct tool_in_turn {
    requested_tool wanted;
    mono_time called{};
    bool running = false;
    std::string request_id; ///< of the permission that it waits for; empty: none
    std::optional<tool_outcome> outcome;
  };

  session_step step(session_event_type type, nlohmann::json payload) const;
  std::shared_ptr<session_message> new_message(std::string_view role) const;
  void keep(session_step& into, std::shared_ptr<session_message> message);
  void add_drafts(turn_actions& actions, std::vector<event_draft>&& drafts) const;
  void start_message(turn_actions& actions);
  void complete_message(turn_actions& actions, message_status status, std::string_view stop_reason,
                        const token_usage& usage);
  void complete_call(turn_actions& actions, const provider_chunk& chunk, mono_time now);
  void fail_call(turn_actions& actions, const call_failure& failure, mono_time now);
  void want_tools(turn_actions& actions, mono_time now);
  void end_tool(turn_actions& actions, tool_in_turn& tool, const tool_outcome& outcome,
                mono_time now);
  void admit_tool(turn_actions& actions, tool_in_turn& tool, mono_time now);
  void start_tool(turn_actions& actions, tool_in_turn& tool);
  void ask_permission(turn_actions& actions, tool_in_turn& tool, const std::string& reason);
  void resolve_permission(turn_actions& actions, tool_in_turn& tool, permission_decision decision,
                          std::string_view by);
  void deny_tool(turn_actions& actions, tool_in_turn& tool, std::string text, mono_time now);
  void collect_results(turn_actions& actions, mono_time now);
  void complete_turn(turn_actions& actions, std::string_view status, std::string_view stop_reason,
                     mono_time now);
  void cancel_turn(turn_actions& actions, mono_time now);
  void cancel_call(turn_actions& actions, mono_time now);
  void cancel_tools(turn_actions& actions, mono_time now);
  bool all_tools_ended() const;
  token_usage priced(token_usage usage) const;
  token_usage usage_so_far() const;
  bool outlasts_turn(std::uint64_t wait_ms, mono_time now) const;
  std::shared_ptr<tool_call_record> record_of(const tool_in_turn& tool,
                                              std::string_view status) const;

  turn_setup setup_;
  phase phase_ = phase::preparing;
  mono_time started_{};
  mono_time call_started_{};
  std::uint64_t calls_ = 0;
  std::uint64_t tool_calls_ = 0;
  std::uint64_t retries_ = 0; // of the current call
  token_usage usage_;
  token_usage call_usage_;             // of the current call, as its provider has told it
  std::uint64_t bytes_told_ = 0;       // of its answer, when it did
  std::set<std::string> tool_use_ids_; // of the turn
  std::optional<message_assembly> assembly_;
  std::vector<tool_in_turn> tools_;
  std::set<std::string> allowed_tools_; // for the session, since the turn began
  std::vector<session_message_ptr> messages_;
  bool warned_ = false;      // that it is being cancelled already
  std::string reason_;       // of the cancellation
  std::string cancelled_in_; // phase
};

} // namespace gasoline

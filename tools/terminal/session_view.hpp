#pragma once

#include "tools/terminal/message_screen.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// A terminal view of one session's stream: turns its frames into text to
/// be printed one after the other. Text appears as it streams; what was cancelled is struck through
/// on a terminal. One message is written at a time: another one, of a worker, shows when it is
/// complete. Lines of workers are set in. Control characters of the session's own text are left
/// out.
///
/// Frames must come as `session_follower` passes them on: each event once, in order.
class session_view {
 public:
  explicit session_view(view_style style) : screen_(style) {}

  /// What a `snapshot` or `event` frame adds; frames and events of unknown types add nothing.
  std::string show(const nlohmann::json& frame);

 private:
  using json = nlohmann::json;

  using mark = text_mark;

  /// A tool that has been called and has no end yet.
  struct running_tool {
    std::string id;
    std::string name;
    std::string input;
    std::string session;
    std::string turn;
    bool is_shown = false;
  };

  using event_handler = void (session_view::*)(const json& payload);
  static event_handler handler_of(std::string_view type);
  void show_event(const json& event);
  void enter_session(const json& event);
  std::string prefix_of(const std::string& session) const;

  void show_snapshot(const json& frame);
  void show_message(const json& message);
  void show_past_message(const json& message);
  void take_past_tool(const json& message, const json& block);
  void show_past_result(const json& block);
  void show_past_tools(const json& session);
  void show_user_message(const json& payload);

  void turn_started(const json& payload);
  void turn_completed(const json& payload);
  void turn_cancelled(const json& payload);
  void call_started(const json& payload);
  void call_failed(const json& payload);
  void message_start(const json& payload);
  void text_delta(const json& payload);
  void thinking_delta(const json& payload);
  void tool_use_start(const json& payload);
  void tool_input_delta(const json& payload);
  void tool_use_end(const json& payload);
  void message_complete(const json& payload);
  void tool_called(const json& payload);
  void tool_completed(const json& payload);
  void tool_failed(const json& payload);
  void permission_requested(const json& payload);
  void permission_resolved(const json& payload);
  void delegate_started(const json& payload);
  void delegate_completed(const json& payload);
  void delegate_failed(const json& payload);
  void alert_raised(const json& payload);
  void feedback_recorded(const json& payload);
  void handler_warning(const json& payload);
  void subscriber_unregistered(const json& payload);

  void cut_open(std::string_view status);
  void end_turn(std::string_view status);

  void running_line(running_tool& tool);
  std::string end_tool(const std::string& id);
  void completed_line(std::string_view name, std::string_view result, bool failed);
  void cancelled_tool(std::string_view name);

  message_screen screen_;
  std::vector<running_tool> running_;
  std::set<std::string> ended_tools_;         // those whose end was shown
  std::map<std::string, std::size_t> depths_; // of workers below the session
  bool has_snapshot_ = false;

  // Of the event that is being shown.
  std::string session_;
  std::string turn_;
};

} // namespace gasoline

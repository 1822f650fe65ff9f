#include "tools/terminal/session_view.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"
#include "tools/terminal/one_line.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

bool is_result(const json& block) {
  return text_member(block, "type") == "tool_result";
}

} // namespace

std::string session_view::show(const json& frame) {
  const auto type = text_member(frame, "type");
  if (type == "snapshot")
    show_snapshot(frame);
  else if (type == "event")
    show_event(json_member(frame, "event"));
  return screen_.take();
}

void session_view::show_event(const json& event) {
  const auto& payload = json_member(event, "payload");
  const auto handler = handler_of(text_member(event, "type"));
  if (handler == nullptr || !payload.is_object())
    return;
  enter_session(event);
  (this->*handler)(payload);
}

session_view::event_handler session_view::handler_of(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, event_handler>, 24> handlers{{
      {"turn.started", &session_view::turn_started},
      {"turn.completed", &session_view::turn_completed},
      {"turn.cancelled", &session_view::turn_cancelled},
      {"llm.call_started", &session_view::call_started},
      {"llm.call_failed", &session_view::call_failed},
      {"message.start", &session_view::message_start},
      {"text.delta", &session_view::text_delta},
      {"thinking.delta", &session_view::thinking_delta},
      {"tool.use_start", &session_view::tool_use_start},
      {"tool.use_input_delta", &session_view::tool_input_delta},
      {"tool.use_end", &session_view::tool_use_end},
      {"message.complete", &session_view::message_complete},
      {"tool.called", &session_view::tool_called},
      {"tool.completed", &session_view::tool_completed},
      {"tool.failed", &session_view::tool_failed},
      {"permission.requested", &session_view::permission_requested},
      {"permission.resolved", &session_view::permission_resolved},
      {"delegate.started", &session_view::delegate_started},
      {"delegate.completed", &session_view::delegate_completed},
      {"delegate.failed", &session_view::delegate_failed},
      {"alert.raised", &session_view::alert_raised},
      {"feedback.recorded", &session_view::feedback_recorded},
      {"bus.handler_warning", &session_view::handler_warning},
      {"bus.subscriber_unregistered", &session_view::subscriber_unregistered},
  }};
  const auto row = std::find_if(handlers.begin(), handlers.end(),
                                [&](const auto& r) { return r.first == type; });
  return row == handlers.end() ? nullptr : row->second;
}

// ---- sessions ----

void session_view::enter_session(const json& event) {
  session_ = text_member(event, "session_id");
  turn_ = text_member(event, "turn_id");
  const auto parent = text_member(event, "parent_session_id");
  if (!parent.empty() && !depths_.contains(session_))
    depths_[session_] = depths_.contains(parent) ? depths_[parent] + 1 : 1;
  screen_.enter(session_, prefix_of(session_));
}

std::string session_view::prefix_of(const std::string& session) const {
  std::string out;
  const auto found = depths_.find(session);
  for (auto depth = found == depths_.end() ? 0 : found->second; depth > 0; --depth)
    out += "│ ";
  return out;
}

// ---- snapshots ----

/// What was being written when the connection was lost is told again, from its start.
void session_view::show_snapshot(const json& frame) {
  const auto& session = json_member(frame, "session");
  session_ = text_member(session, "id");
  screen_.forget_open();
  screen_.enter(session_, {});
  if (std::exchange(has_snapshot_, true))
    screen_.line("(some events were missed)", mark::dim);
  screen_.line("session " + session_ + "  " + text_member(session, "active_model") + "  " +
                   text_member(session, "workspace_path"),
               mark::dim);
  for (const auto& message : list_member(frame, "messages"))
    show_past_message(message);
  show_past_tools(session);
}

/// Messages of tool results become the ends of their tools, as a live stream shows them.
void session_view::show_past_message(const json& message) {
  const auto& content = list_member(message, "content");
  if (text_member(message, "role") == "user" &&
      std::all_of(content.begin(), content.end(), is_result)) {
    for (const auto& block : content)
      show_past_result(block);
    return;
  }
  show_message(message);
  if (text_member(message, "status") != "complete")
    return;
  for (const auto& block : content)
    take_past_tool(message, block);
}

void session_view::take_past_tool(const json& message, const json& block) {
  if (text_member(block, "type") != "tool_use")
    return;
  auto id = text_member(block, "id");
  const bool is_running = std::any_of(running_.begin(), running_.end(),
                                      [&](const running_tool& tool) { return tool.id == id; });
  if (is_running || ended_tools_.contains(id))
    return;
  running_.push_back({std::move(id), text_member(block, "name"),
                      dumped(json_member(block, "input")), session_,
                      text_member(message, "turn_id")});
}

void session_view::show_past_result(const json& block) {
  const auto id = text_member(block, "tool_use_id");
  if (ended_tools_.contains(id))
    return;
  const auto name = end_tool(id);
  completed_line(name.empty() ? "tool" : name, text_member(block, "content"),
                 json_member(block, "is_error") == json(true));
}

/// A tool without a result runs if its turn does; else it was cancelled with it. Those of workers
/// are in no snapshot.
void session_view::show_past_tools(const json& session) {
  const auto turn = text_member(session, "current_turn_id");
  for (auto& tool : std::exchange(running_, {})) {
    if (tool.session != session_)
      continue;
    if (turn.empty() || tool.turn != turn) {
      ended_tools_.insert(tool.id);
      cancelled_tool(tool.name);
      continue;
    }
    running_line(tool);
    running_.push_back(std::move(tool));
  }
}

// ---- messages ----

void session_view::show_message(const json& message) {
  if (!screen_.show_once(text_member(message, "id")))
    return;
  const auto status = text_member(message, "status");
  const bool cancelled = status == "cancelled";
  const bool user = text_member(message, "role") == "user";
  screen_.show_content(list_member(message, "content"),
                       cancelled ? mark::struck : (user ? mark::bold : mark::plain));
  if (cancelled || status == "failed")
    screen_.line("(" + status + ")", mark::dim);
}

/// Those of agents that run elsewhere may have no id.
void session_view::show_user_message(const json& payload) {
  const auto id = text_member(payload, "message_id");
  if (id.empty() || screen_.show_once(id))
    screen_.show_content(list_member(payload, "content"), mark::bold);
}

// ---- messages that are being written ----

void session_view::message_start(const json& payload) {
  screen_.start(payload);
}

void session_view::text_delta(const json& payload) {
  screen_.add(payload, "text", "text");
}

void session_view::thinking_delta(const json& payload) {
  screen_.add(payload, "thinking", "text");
}

void session_view::tool_use_start(const json& payload) {
  screen_.start_tool(payload);
}

void session_view::tool_input_delta(const json& payload) {
  screen_.add(payload, "tool_use", "partial_json");
}

void session_view::tool_use_end(const json& payload) {
  screen_.end_tool(payload);
}

void session_view::message_complete(const json& payload) {
  screen_.complete(payload);
}

// ---- turns and calls ----

void session_view::turn_started(const json& payload) {
  show_user_message(payload);
}

/// A call that tells the model of new alerts carries the message that does.
void session_view::call_started(const json& payload) {
  show_user_message(payload);
}

void session_view::turn_completed(const json& payload) {
  end_turn("failed");
  const auto status = text_member(payload, "status");
  screen_.line("— turn " + (status.empty() ? "completed" : status), mark::dim);
}

void session_view::turn_cancelled(const json& payload) {
  end_turn("cancelled");
  screen_.line("— turn cancelled (" + text_member(payload, "reason") + ")", mark::dim);
}

/// Ends the messages of a turn that got no end of their own: the engine died or was cut short. With
/// a turn of the session that is followed, the work of its workers has ended too.
void session_view::cut_open(std::string_view status) {
  if (depths_.contains(session_))
    screen_.cut_those_of(session_, status);
  else
    screen_.cut_all(status);
}

/// Whatever of the turn is still open ends with it.
void session_view::end_turn(std::string_view status) {
  cut_open(status);
  for (auto& tool : std::exchange(running_, {})) {
    if (tool.turn != turn_) {
      running_.push_back(std::move(tool));
      continue;
    }
    ended_tools_.insert(tool.id);
    if (status == "cancelled")
      cancelled_tool(tool.name);
    else
      screen_.line("  ✗ " + tool.name + ": no result", mark::red);
  }
}

void session_view::call_failed(const json& payload) {
  const auto error = text_member(payload, "error_class");
  if (error == "cancelled")
    return; // the message and the turn say so
  const bool will_retry = json_member(payload, "will_retry") == json(true);
  screen_.line("✗ model: " + error + ": " + text_member(payload, "message") +
                   (will_retry ? " (trying again)" : ""),
               mark::red);
}

// ---- tools and workers ----

void session_view::tool_called(const json& payload) {
  running_.push_back({text_member(payload, "tool_use_id"), text_member(payload, "tool_name"),
                      dumped(json_member(payload, "input")), session_, turn_});
  running_line(running_.back());
}

void session_view::running_line(running_tool& tool) {
  if (!std::exchange(tool.is_shown, true))
    screen_.line("  " + tool.name + " " + one_line(tool.input) + " … running", mark::dim);
}

/// The name of the tool, which runs no more; empty: it was not known.
std::string session_view::end_tool(const std::string& id) {
  ended_tools_.insert(id);
  const auto tool = std::find_if(running_.begin(), running_.end(),
                                 [&](const running_tool& one) { return one.id == id; });
  if (tool == running_.end())
    return {};
  auto name = std::move(tool->name);
  running_.erase(tool);
  return name;
}

void session_view::tool_completed(const json& payload) {
  end_tool(text_member(payload, "tool_use_id"));
  completed_line(text_member(payload, "tool_name"), text_member(payload, "result"),
                 json_member(payload, "is_error") == json(true));
}

void session_view::completed_line(std::string_view name, std::string_view result, bool failed) {
  screen_.line("  " + std::string{failed ? "✗ " : "✓ "} + std::string{name} + ": " +
                   one_line(result),
               failed ? mark::red : mark::plain);
}

void session_view::tool_failed(const json& payload) {
  end_tool(text_member(payload, "tool_use_id"));
  const auto name = text_member(payload, "tool_name");
  const auto error = text_member(payload, "error_class");
  if (error == "cancelled")
    cancelled_tool(name);
  else
    screen_.line("  ✗ " + name + ": " + error + ": " + one_line(text_member(payload, "message")),
                 mark::red);
}

void session_view::cancelled_tool(std::string_view name) {
  screen_.line({{"  "}, {name, mark::struck}, {" (cancelled)", mark::dim}});
}

/// Whole, since nobody should allow what they cannot read.
void session_view::permission_requested(const json& payload) {
  const auto& input = json_member(payload, "input");
  const auto command = text_member(input, "command");
  screen_.line({{"? ", mark::bold},
                {text_member(payload, "tool") + " wants to run: ", mark::bold},
                {command.empty() ? dumped(input) : command, mark::plain}});
  screen_.line("  y allows it once, a allows the tool in this session, n denies it", mark::dim);
}

void session_view::permission_resolved(const json& payload) {
  const auto decision = text_member(payload, "decision");
  const auto by = text_member(payload, "by");
  screen_.line("  " + std::string{decision == "deny" ? "✗ denied" : "✓ allowed"} +
                   (decision == "allow_session" ? " in this session" : "") +
                   (by == "user" ? "" : " (" + by + ")"),
               mark::dim);
}

void session_view::delegate_started(const json& payload) {
  screen_.line("  worker " + text_member(payload, "worker_session_id") + ": " +
                   one_line(text_member(payload, "task")),
               mark::dim);
}

void session_view::delegate_completed(const json& payload) {
  const auto worker = text_member(payload, "worker_session_id");
  const bool failed = json_member(payload, "success") == json(false);
  screen_.cut_those_of(worker, "failed");
  screen_.line((failed ? "  ✗ worker " : "  ✓ worker ") + worker, failed ? mark::red : mark::dim);
}

void session_view::delegate_failed(const json& payload) {
  const auto worker = text_member(payload, "worker_session_id");
  const auto mode = text_member(payload, "failure_mode");
  screen_.cut_those_of(worker, mode == "cancelled_by_user" ? "cancelled" : "failed");
  screen_.line("  ✗ worker " + worker + ": " + mode, mark::red);
}

// ---- what is no part of a turn ----

void session_view::alert_raised(const json& payload) {
  screen_.line("! " + text_member(payload, "severity") + ": " + text_member(payload, "title"),
               mark::red);
}

void session_view::feedback_recorded(const json& payload) {
  const auto& rating = json_member(payload, "rating");
  screen_.line("  feedback: " + (rating.is_string() ? rating.get<std::string>() : dumped(rating)) +
                   " " + one_line(text_member(payload, "comment")),
               mark::dim);
}

void session_view::handler_warning(const json& payload) {
  screen_.line("(" + text_member(payload, "code") + ": " +
                   one_line(text_member(payload, "message")) + ")",
               mark::dim);
}

void session_view::subscriber_unregistered(const json& payload) {
  screen_.line("(" + text_member(payload, "subscription_name") +
                   " left: " + text_member(payload, "reason") + ")",
               mark::dim);
}

} // namespace gasoline

#pragma once

#include "told_frames.hpp"
#include "tools/terminal/session_follower.hpp"
#include "tools/terminal/session_view.hpp"
#include "trace_screen.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <variant>

namespace gasoline::test::traces {

using std::chrono::milliseconds;

/// For whom the text of a frame is printed.
inline std::string owner_of(const json& frame) {
  if (frame.at("type") == "snapshot")
    return "snapshot";
  const auto& event = frame.at("event");
  const auto& payload = event.at("payload");
  const auto type = event.at("type").get<std::string>();
  if (type == "tool.called" || type == "tool.completed" || type == "tool.failed")
    return "tool " + text_part(payload, "tool_use_id");
  if (type == "turn.completed" || type == "turn.cancelled")
    return "turn " + text_part(event, "turn_id");
  if (type == "llm.call_failed")
    return "call " + text_part(event, "turn_id");
  if (type.starts_with("delegate."))
    return "worker " + text_part(payload, "worker_session_id");
  if (type == "feedback.recorded")
    return "feedback " + text_part(payload, "message_id");
  if (type == "alert.raised" || type.starts_with("bus."))
    return type.substr(0, type.find('.'));
  return text_part(payload, "message_id");
}

/// The terminal client without sockets, in virtual time.
class trace_client {
 public:
  trace_client(const json& start, view_style style, double draw)
      : id_(start.at("session_id")),
        view_(style),
        follower_(subscription_of(start), [draw] { return draw; }) {}

  /// One input; what follows from it is in `actions` and `events`.
  void step(const std::string& input, const json& value) {
    actions = json::array();
    events = json::array();
    if (input == "start")
      carry_out(follower_.start(now_));
    else if (input == "attached")
      carry_out(follower_.attached(answer_of(value), now_));
    else if (input == "opened")
      carry_out(follower_.opened());
    else if (input == "received")
      receive(value.is_string() ? value.get<std::string>() : value.dump());
    else if (input == "closed")
      carry_out(follower_.closed(value.at("code"), text_part(value, "reason"), now_));
    else if (input == "pass_ms")
      pass(milliseconds{value.get<int>()});
    else if (input == "due_ms")
      act_within(value);
  }

  void receive(const std::string& text) { carry_out(follower_.received(text, now_)); }

  const session_follower& follower() const { return follower_; }

  json actions;
  json events;
  std::string printed;
  trace_screen screen;
  told known;

 private:
  static session_subscription subscription_of(const json& start) {
    const auto since = start.at("since");
    return {start.at("session_id"), start.at("filter"),
            since.is_null() ? std::nullopt : std::optional{since.get<std::string>()}};
  }

  static std::optional<session_attach_answer> answer_of(const json& value) {
    if (value.is_null())
      return std::nullopt;
    return session_attach_answer{value.at("status"), part(value, "body").dump(),
                                 milliseconds{value.value("retry_after_ms", 0)}};
  }

  void pass(milliseconds time) {
    const auto until = now_ + time;
    while (follower_.deadline() && *follower_.deadline() <= until) {
      now_ = std::max(now_, *follower_.deadline());
      carry_out(follower_.tick(now_));
    }
    now_ = until;
  }

  void act_within(const json& bounds) {
    if (!follower_.deadline()) {
      FAIL_CHECK("the client waits for nothing");
      return;
    }
    const auto due = *follower_.deadline() - now_;
    CHECK(due.count() >= bounds.at(0).get<int>());
    CHECK(due.count() <= bounds.at(1).get<int>());
    now_ += due;
    carry_out(follower_.tick(now_));
  }

  void carry_out(const session_actions& all) {
    for (const auto& action : all)
      std::visit([this](const auto& one) { act(one); }, action);
  }

  void act(const attach_action&) { actions.push_back({{"attach", id_}}); }
  void act(const connect_action& one) { actions.push_back({{"connect", one.url}}); }
  void act(const send_action& one) { actions.push_back({{"send", one.frame}}); }
  void act(const close_action& one) { actions.push_back({{"close", one.code}}); }

  void act(const show_action& one) {
    const auto text = view_.show(one.frame);
    printed += text;
    screen.print(text, owner_of(one.frame));
    if (one.frame.at("type") == "event")
      events.push_back(one.frame.at("event").at("type"));
    else
      for (const auto& id : known.open) // told again, from its start
        screen.disown(id);
    known.take(one.frame);
  }

  std::string id_;
  milliseconds now_{0};
  session_view view_;
  session_follower follower_;
};

} // namespace gasoline::test::traces

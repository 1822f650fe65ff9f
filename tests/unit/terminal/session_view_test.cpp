#include "tools/terminal/session_view.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace gasoline;

namespace {

using nlohmann::json;

/// A view and all that it has printed.
struct printed_view {
  explicit printed_view(view_style style = {}) : view(style) {}

  void event(const std::string& type, json payload, json envelope = json::object()) {
    envelope["type"] = type;
    envelope["payload"] = std::move(payload);
    text += view.show({{"type", "event"}, {"event", std::move(envelope)}});
  }

  void delta(const std::string& piece, unsigned block = 0) {
    event("text.delta", {{"message_id", "m"}, {"content_block_index", block}, {"text", piece}});
  }

  void complete(const std::string& stop_reason, json content) {
    event(
        "message.complete",
        {{"message_id", "m"}, {"stop_reason", stop_reason}, {"final_content", std::move(content)}});
  }

  session_view view;
  std::string text;
};

json text_block(const std::string& text) {
  return {{"type", "text"}, {"text", text}};
}

} // namespace

TEST_CASE("text is shown as it streams, and not again when it is complete") {
  printed_view v;
  v.event("turn.started", {{"message_id", "u"}, {"content", json::array({text_block("go on")})}});
  v.event("message.start", {{"message_id", "m"}, {"role", "assistant"}});
  v.delta("one ");
  CHECK(v.text == "> go on\none ");
  v.delta("two");
  v.complete("end_turn", json::array({text_block("one two")}));
  v.event("turn.completed", {{"status", "completed"}});
  CHECK(v.text == "> go on\none two\n— turn completed\n");
}

TEST_CASE("what was missed of a message is added from its end; what differs is shown anew") {
  printed_view missed;
  missed.delta("one ");
  missed.complete("end_turn", json::array({text_block("one two"), text_block("three")}));
  CHECK(missed.text == "one two\nthree\n");
  printed_view unseen;
  unseen.complete("end_turn", json::array({text_block("whole")}));
  CHECK(unseen.text == "whole\n");
  printed_view different;
  different.delta("wrong");
  different.complete("end_turn", json::array({text_block("right")}));
  CHECK(different.text == "wrong\n(corrected)\nright\n");
}

TEST_CASE("a snapshot shows each message once") {
  printed_view v;
  const json snapshot{
      {"type", "snapshot"},
      {"session", {{"id", "s"}, {"active_model", "a:b"}, {"workspace_path", "/w"}}},
      {"messages",
       {{{"id", "1"}, {"role", "user"}, {"content", {text_block("hi")}}, {"status", "complete"}},
        {{"id", "2"},
         {"role", "assistant"},
         {"content", {text_block("par")}},
         {"status", "cancelled"}}}}};
  v.text += v.view.show(snapshot);
  CHECK(v.text == "session s  a:b  /w\n> hi\npar\n(cancelled)\n");
  v.text.clear();
  v.text += v.view.show(snapshot);
  CHECK(v.text == "(some events were missed)\nsession s  a:b  /w\n");
}

TEST_CASE("results in a snapshot are ends of tools, each shown once") {
  printed_view v;
  const json call{{"type", "tool_use"}, {"id", "t1"}, {"name", "t"}, {"input", {{"a", 1}}}};
  const json result{
      {"type", "tool_result"}, {"tool_use_id", "t1"}, {"content", "no"}, {"is_error", true}};
  const json snapshot{
      {"type", "snapshot"},
      {"session", {{"id", "s"}}},
      {"messages",
       {{{"id", "1"}, {"role", "assistant"}, {"content", {call}}, {"status", "complete"}},
        {{"id", "2"}, {"role", "user"}, {"content", {result}}, {"status", "complete"}}}}};
  v.text = v.view.show(snapshot);
  CHECK(v.text == "session s    \n● t {\"a\":1}\n  ✗ t: no\n");
  CHECK(v.view.show(snapshot) == "(some events were missed)\nsession s    \n");
}

TEST_CASE("a message that the connection was lost in is not gone on with after a snapshot") {
  printed_view v{{true, 80}};
  v.delta("half a messa");
  v.text = v.view.show({{"type", "snapshot"}, {"session", {{"id", "s"}}}});
  CHECK(v.text.starts_with("\r\x1b[K\x1b[9mhalf a messa\x1b[0m\n"));
  v.text.clear();
  v.delta("half a message");
  v.complete("end_turn", json::array({text_block("half a message")}));
  CHECK(v.text == "half a message\n");
}

TEST_CASE("what interrupts a line of a message does not cut it in two on a terminal") {
  const json alert{{"severity", "error"}, {"title", "spike"}};
  printed_view terminal{{true, 80}};
  terminal.delta("one ");
  terminal.event("alert.raised", alert);
  terminal.delta("two");
  CHECK(terminal.text == "one \r\x1b[K\x1b[31m! error: spike\x1b[0m\none two");
  printed_view narrow{{true, 4}};
  narrow.delta("one ");
  narrow.event("alert.raised", alert);
  narrow.delta("two");
  CHECK(narrow.text == "one \n\x1b[31m! error: spike\x1b[0m\ntwo");
}

TEST_CASE("blocks out of order are shown in order once the message is complete") {
  printed_view v;
  v.delta("b", 1);
  v.delta("a", 0);
  CHECK(v.text == "b");
  v.complete("end_turn", json::array({text_block("a"), text_block("b")}));
  v.delta("late", 0);
  CHECK(v.text == "b\n(corrected)\na\nb\n");
}

TEST_CASE("what a turn leaves open ends with it") {
  printed_view v;
  const json turn{{"session_id", "s"}, {"turn_id", "1"}};
  v.event("tool.called", {{"tool_use_id", "t1"}, {"tool_name", "t"}, {"input", {}}}, turn);
  v.delta("par");
  v.event("turn.cancelled", {{"reason", "server_restart"}}, turn);
  CHECK(v.text == "  t null … running\npar\n(cancelled)\n  t (cancelled)\n"
                  "— turn cancelled (server_restart)\n");
}

TEST_CASE("lines of a worker are set in; its message waits for the one that is being written") {
  printed_view v;
  const auto in = [](const std::string& session, const std::string& parent) {
    return json{{"session_id", session}, {"parent_session_id", parent}};
  };
  const auto piece = [](const std::string& id, const std::string& text) {
    return json{{"message_id", id}, {"content_block_index", 0}, {"text", text}};
  };
  v.event("text.delta", piece("a", "one\n"), in("w", "s"));
  v.event("text.delta", piece("b", "de"), in("x", "w"));
  v.event("text.delta", piece("a", "two"), in("w", "s"));
  v.event("message.complete",
          {{"message_id", "a"}, {"final_content", json::array({text_block("one\ntwo")})}},
          in("w", "s"));
  v.event("text.delta", piece("b", "ep"), in("x", "w"));
  CHECK(v.text == "│ one\n│ two\n│ │ deep");
}

TEST_CASE("tools show their state") {
  printed_view v;
  v.event("tool.use_start", {{"message_id", "m"}, {"content_block_index", 1}, {"tool_name", "t"}});
  v.event("tool.use_input_delta",
          {{"message_id", "m"}, {"content_block_index", 1}, {"partial_json", "{\"a\""}});
  v.event("tool.use_input_delta",
          {{"message_id", "m"}, {"content_block_index", 1}, {"partial_json", ":1}"}});
  v.event("tool.called", {{"tool_name", "t"}, {"input", {{"a", 1}}}});
  v.event("tool.completed", {{"tool_name", "t"}, {"result", "one\ntwo"}, {"is_error", false}});
  v.event("tool.failed", {{"tool_name", "t"}, {"error_class", "timeout"}, {"message", "late"}});
  v.event("tool.failed", {{"tool_name", "t"}, {"error_class", "cancelled"}});
  CHECK(v.text == "● t {\"a\":1}\n  t {\"a\":1} … running\n  ✓ t: one …\n  ✗ t: timeout: late\n"
                  "  t (cancelled)\n");
}

TEST_CASE("on a terminal, what was cancelled is struck through") {
  printed_view v{{true, 80}};
  v.delta("kept\npart");
  v.complete("cancelled", json::array({text_block("kept\npart")}));
  v.event("tool.failed", {{"tool_name", "t"}, {"error_class", "cancelled"}});
  CHECK(v.text == "kept\npart\r\x1b[K\x1b[9mpart\x1b[0m\n\x1b[2m(cancelled)\x1b[0m\n"
                  "  \x1b[9mt\x1b[0m\x1b[2m (cancelled)\x1b[0m\n");
}

TEST_CASE("the session's text commands no terminal, and frames of other shapes no view") {
  printed_view v{{true, 80}};
  v.delta("a\x1b[2Jb\x07"
          "c\xC2\x9B"
          "d\r\n\xC3\xA9");
  CHECK(v.text == "a[2Jbcd\n\xC3\xA9");
  v.text.clear();
  v.event("made.up.thing", json::object());
  v.event("text.delta", json::array());
  for (const auto& frame : {json::object(), json::array(), json(7), json{{"type", 7}},
                            json{{"type", "event"}}, json{{"type", "event"}, {"event", "x"}},
                            json{{"type", "snapshot"}, {"messages", {7, json::object()}}}})
    v.text += v.view.show(frame);
  CHECK(v.text.find("session") != std::string::npos);
}

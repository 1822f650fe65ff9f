#include "tools/session_view.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

using namespace gasoline;

namespace {

using nlohmann::json;

/// A view and all that it has printed.
struct printed_view {
  explicit printed_view(view_style style = {}) : view(style) {}

  void event(const std::string& type, json payload) {
    text += view.show(
        {{"type", "event"}, {"event", {{"type", type}, {"payload", std::move(payload)}}}});
  }

  void delta(const std::string& piece, int block = 0) {
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

#pragma once

#include "trace_client.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace gasoline::test::traces {

/// A trace goes on after a check that failed, but not into what is not there.
inline bool has_size(std::size_t size, std::size_t wanted) {
  CHECK(size == wanted);
  return size == wanted;
}

/// Checks that the screen shows what a `view` of a trace says.
class screen_check {
 public:
  explicit screen_check(trace_client& client) : client_(client), known_(client.known) {}

  void view(const json& wanted) {
    conversation(wanted, known_.main);
    if (wanted.contains("workers"))
      workers(wanted.at("workers"));
    if (wanted.contains("alerts"))
      each_has(wanted.at("alerts"), "alert", {"severity", "title"});
    if (wanted.contains("notices"))
      each_has(wanted.at("notices"), "bus", {"code", "subscription_name"});
    if (wanted.contains("repaired") && known_.out_of_order.empty())
      CHECK(count("(corrected)") == wanted.at("repaired").get<std::size_t>());
  }

 private:
  using lines = std::vector<screen_line>;

  void conversation(const json& wanted, const std::string& session) {
    auto& told = known_.session(session);
    if (wanted.contains("messages"))
      messages(wanted.at("messages"), told.messages);
    if (wanted.contains("tools"))
      tools(wanted.at("tools"), told);
    if (part(wanted, "turn").is_object())
      turn(wanted.at("turn"), told.turn);
  }

  // ---- messages ----

  void messages(const json& wanted, const std::vector<std::string>& ids) {
    if (!has_size(wanted.size(), ids.size()))
      return;
    for (std::size_t i = 0; i < ids.size(); ++i)
      message(wanted.at(i), ids[i]);
  }

  void message(const json& wanted, const std::string& id) {
    CAPTURE(id);
    auto shown = lines_of_message(id);
    if (wanted.contains("content") && !is_held(id, shown)) {
      const auto expected = expected_lines(wanted.at("content"), known_.of_user.contains(id));
      if (shown.empty())
        shown = lines_in_snapshot(expected);
      content(expected, shown);
    }
    if (wanted.contains("status") && !known_.open.contains(id))
      CHECK_MESSAGE(is_struck(shown) == (wanted.at("status") == "cancelled"), id);
    if (wanted.contains("feedback"))
      CHECK(has_text(client_.screen.lines_of("feedback " + id),
                     text_part(wanted.at("feedback"), "rating")));
  }

  /// What comes out of order, or while another message is being written, shows when it is complete.
  bool is_held(const std::string& id, const lines& shown) const {
    if (!known_.open.contains(id))
      return false;
    return known_.out_of_order.contains(id) || (shown.empty() && known_.open.size() > 1);
  }

  /// What was printed for a message, without remarks, from its last correction on.
  lines lines_of_message(const std::string& id) const {
    lines out;
    for (auto& line : client_.screen.lines_of(id))
      if (line.text == "(corrected)")
        out.clear();
      else if (line.text != "(cancelled)" && line.text != "(failed)")
        out.push_back(std::move(line));
    return out;
  }

  static bool is_struck(const lines& shown) { return !shown.empty() && shown.back().struck; }

  /// Each block has its own lines, each once and in order, and there are no others.
  static void content(const json& expected, const lines& shown) {
    if (!has_size(shown.size(), expected.size()))
      return;
    for (std::size_t i = 0; i < shown.size(); ++i)
      CHECK_MESSAGE(fits(shown[i], expected[i]), shown[i].text << " is not " << expected[i]);
  }

  lines lines_in_snapshot(const json& expected) const {
    auto past = client_.screen.lines_of("snapshot");
    std::erase_if(past, [&](const auto& line) {
      return std::none_of(expected.begin(), expected.end(),
                          [&](const auto& one) { return fits(line, one); });
    });
    return past;
  }

  /// A string is a whole line, an object a block of which more is not known.
  static json expected_lines(const json& content, bool is_user) {
    auto out = json::array();
    for (const auto& block : content) {
      if (!block.contains("text")) {
        out.push_back(block);
        continue;
      }
      std::istringstream text{(is_user ? "> " : "") + text_part(block, "text")};
      for (std::string line; std::getline(text, line);)
        out.push_back(line);
    }
    return out;
  }

  static bool fits(const screen_line& line, const json& expected) {
    if (expected.is_string())
      return line.text == expected.get<std::string>();
    const auto name = text_part(expected, "name");
    const auto head = "● " + (name.empty() ? std::string{} : name + " ");
    if (text_part(expected, "type") != "tool_use")
      return true;
    return line.text.starts_with(head) && has_input(line.text, expected);
  }

  static bool has_input(const std::string& line, const json& block) {
    const auto start = line.find(' ', std::string{"● "}.size());
    const auto input = start == std::string::npos ? std::string{} : line.substr(start + 1);
    if (const auto partial = part(block, "partial_json"); partial.is_string())
      return input == partial.get<std::string>();
    const auto wanted = part(block, "input");
    const auto shown = json::parse(input, nullptr, false);
    return std::all_of(wanted.items().begin(), wanted.items().end(), [&](const auto& item) {
      return !wanted.is_object() || part(shown, item.key().c_str()) == item.value();
    });
  }

  // ---- tools ----

  void tools(const json& wanted, const told_session& told) {
    if (!has_size(wanted.size(), told.tools.size()))
      return;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      tool(wanted.at(i), told.tools[i], told.turn);
  }

  void tool(const json& wanted, const std::pair<std::string, std::string>& told,
            const std::string& turn) {
    const auto& id = told.first;
    const auto& name = told.second;
    CAPTURE(id);
    if (wanted.contains("name"))
      CHECK(wanted.at("name") == name);
    if (!wanted.contains("status"))
      return;
    auto shown = client_.screen.lines_of("tool " + id);
    CHECK(shown.size() <= 2); // its call and its end
    if (shown.empty())
      shown = lines_with(client_.screen.lines_of("snapshot"), name);
    if (!is_running(wanted) && shown.size() == 1 && shown.back().text.ends_with("… running"))
      shown = lines_with(client_.screen.lines_of("turn " + turn), name); // ended by its turn
    if (shown.empty())
      FAIL_CHECK("the tool is not shown");
    else
      CHECK_MESSAGE(has_state(shown, wanted, name), shown.back().text << " is not " << wanted);
  }

  static bool is_running(const json& tool) { return tool.at("status") == "running"; }

  static bool has_state(const lines& shown, const json& wanted, const std::string& name) {
    const auto status = text_part(wanted, "status");
    const auto result = text_part(wanted, "result");
    const auto begin = "  ✓ " + name + ": " + result.substr(0, result.find('\n'));
    if (status == "running")
      return shown.back().text.ends_with("… running");
    if (status == "completed")
      return shown.back().text.starts_with(begin);
    if (status == "failed")
      return has_text(shown, "  ✗ " + name + ":");
    return shown.back().text == "  " + name + " (cancelled)";
  }

  // ---- workers, turns, and what belongs to none ----

  void workers(const json& wanted) {
    if (!has_size(wanted.size(), known_.workers.size()))
      return;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      worker(wanted.at(i), known_.workers[i]);
  }

  void worker(const json& wanted, const std::string& id) {
    CAPTURE(id);
    if (wanted.contains("session_id"))
      CHECK(wanted.at("session_id") == id);
    conversation(wanted, id);
    static const std::map<std::string, std::string> marks{{"running", "  worker "},
                                                          {"completed", "  ✓ worker "},
                                                          {"failed", "  ✗ worker "},
                                                          {"cancelled", "  ✗ worker "}};
    const auto shown = client_.screen.lines_of("worker " + id);
    if (!wanted.contains("status") || !has_size(shown.empty() ? 0 : 1, 1))
      return;
    CHECK(shown.back().text.starts_with(marks.at(wanted.at("status")) + id));
    CHECK(has_text({shown.back()}, text_part(wanted, "failure_mode")));
  }

  void turn(const json& wanted, const std::string& id) {
    CAPTURE(id);
    if (wanted.contains("id"))
      CHECK(wanted.at("id") == id);
    const auto end = lines_with(client_.screen.lines_of("turn " + id), "— turn ");
    const auto status = text_part(wanted, "status");
    CHECK(end.size() == (status == "in_flight" || status.empty() ? 0U : 1U));
    if (status != "in_flight")
      CHECK(has_text(end, status));
    if (!end.empty())
      CHECK(has_text(end, text_part(wanted, "reason")));
    if (const auto error = part(wanted, "error"); error.contains("error_class"))
      CHECK(has_text(client_.screen.lines_of("call " + id), text_part(error, "error_class")));
  }

  void each_has(const json& wanted, const std::string& owner, std::vector<const char*> keys) {
    const auto shown = client_.screen.lines_of(owner);
    if (!has_size(shown.size(), wanted.size()))
      return;
    for (std::size_t i = 0; i < shown.size(); ++i)
      for (const auto* key : keys)
        CHECK(has_text({shown[i]}, text_part(wanted.at(i), key)));
  }

  // ---- lines ----

  static lines lines_with(const lines& all, const std::string& text) {
    lines out;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out),
                 [&](const auto& line) { return line.text.find(text) != std::string::npos; });
    return out;
  }

  static bool has_text(const lines& all, const std::string& text) {
    return text.empty() || !lines_with(all, text).empty();
  }

  std::size_t count(const std::string& text) const {
    const auto all = client_.screen.lines();
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const auto& line) { return line.text == text; }));
  }

  trace_client& client_;
  told& known_;
};

} // namespace gasoline::test::traces

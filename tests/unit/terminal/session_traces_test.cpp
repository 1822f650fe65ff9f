// The traces of session streams (tests/session_traces) against the terminal client: what it does,
// step by step, and what stands on its screen.
#include "tools/terminal/session_follower.hpp"
#include "tools/terminal/session_view.hpp"
#include "trace_screen.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace gasoline;

namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr view_style wide_terminal{true, 10'000};
constexpr view_style pipe_style{};
constexpr std::array draws{0.0, 0.5, 0.999999};

std::vector<std::string> trace_names() {
  std::vector<std::string> out;
  for (const auto& file :
       std::filesystem::directory_iterator{std::string{GASOLINE_TEST_DATA} + "/session_traces"})
    if (file.path().extension() == ".jsonl")
      out.push_back(file.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

/// The steps of a trace, each with the number of its line.
std::vector<json> read_trace(const std::string& name) {
  std::ifstream file{std::string{GASOLINE_TEST_DATA} + "/session_traces/" + name + ".jsonl"};
  std::vector<json> out;
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    if (text.empty() || text.starts_with("//"))
      continue;
    out.push_back(json::parse(text));
    out.back()["line"] = line;
  }
  return out;
}

json part(const json& object, const char* key) {
  return object.is_object() ? object.value(key, json()) : json();
}

std::string text_part(const json& object, const char* key) {
  const auto value = part(object, key);
  return value.is_string() ? value.get<std::string>() : std::string{};
}

/// A trace goes on after a check that failed, but not into what is not there.
bool has_size(std::size_t size, std::size_t wanted) {
  CHECK(size == wanted);
  return size == wanted;
}

const char* name_of(follower_state state) {
  static constexpr std::array names{"idle", "attaching", "connecting", "subscribing",
                                    "live", "waiting",   "ended"};
  return names[static_cast<std::size_t>(state)];
}

/// The user of the terminal cannot cancel, so its client has none to send.
bool is_cancel(const json& action) {
  return text_part(part(action, "send"), "type") == "cancel";
}

// ---- what the frames have told so far: which messages, tools and turns there are ----

struct told_session {
  std::vector<std::string> messages;
  std::vector<std::pair<std::string, std::string>> tools; // id, name
  std::string turn;
};

class told {
 public:
  void take(const json& frame) {
    if (text_part(frame, "type") == "snapshot")
      take_snapshot(frame);
    else
      take_event(frame.at("event"));
  }

  told_session& session(const std::string& id) { return sessions_[id]; }

  std::string main;
  std::vector<std::string> workers;
  std::set<std::string> of_user;
  std::set<std::string> open;
  std::set<std::string> out_of_order;

 private:
  void take_snapshot(const json& frame) {
    main = text_part(frame.at("session"), "id");
    auto& here = sessions_[main] = {};
    workers.clear();
    open.clear();
    here.turn = text_part(frame.at("session"), "current_turn_id");
    for (const auto& message : frame.at("messages"))
      take_past(here, message);
  }

  void take_past(told_session& here, const json& message) {
    const auto& content = message.at("content");
    if (content.at(0).at("type") == "tool_result")
      return;
    here.messages.push_back(message.at("id"));
    if (message.at("role") == "user")
      of_user.insert(message.at("id").get<std::string>());
    for (const auto& block : content)
      if (block.at("type") == "tool_use" && message.at("status") == "complete")
        here.tools.emplace_back(block.at("id"), block.at("name"));
  }

  void take_event(const json& event) {
    const auto id = event.at("session_id").get<std::string>();
    if (main.empty())
      main = id;
    add_worker(id);
    const auto type = event.at("type").get<std::string>();
    const auto& payload = event.at("payload");
    auto& here = sessions_[id];
    if (type == "turn.started")
      here.turn = text_part(event, "turn_id");
    if (type == "delegate.started")
      add_worker(text_part(payload, "worker_session_id"));
    if (type == "tool.called")
      here.tools.emplace_back(payload.at("tool_use_id"), payload.at("tool_name"));
    if (type.starts_with("turn.") && type != "turn.started")
      open.clear();
    if (payload.contains("message_id") && payload.at("message_id").is_string())
      take_message(here, type, payload);
  }

  void add_worker(const std::string& id) {
    if (id != main && std::find(workers.begin(), workers.end(), id) == workers.end())
      workers.push_back(id);
  }

  void take_message(told_session& here, const std::string& type, const json& payload) {
    const auto id = payload.at("message_id").get<std::string>();
    const bool is_piece = payload.contains("content_block_index");
    const bool is_user = payload.contains("content");
    if (!is_piece && !is_user && type != "message.start" && type != "message.complete")
      return;
    auto& ids = here.messages;
    const bool is_new = std::find(ids.begin(), ids.end(), id) == ids.end();
    if (is_new)
      ids.push_back(id);
    if (is_user)
      of_user.insert(id);
    else if (type == "message.complete")
      open.erase(id);
    else if (is_new)
      open.insert(id);
    if (is_piece)
      take_index(id, payload.at("content_block_index"));
  }

  void take_index(const std::string& id, std::uint64_t index) {
    auto& highest = highest_[id];
    if (index < highest)
      out_of_order.insert(id);
    highest = std::max(highest, index);
  }

  std::map<std::string, told_session> sessions_;
  std::map<std::string, std::uint64_t> highest_; // block of each message
};

// ---- the client ----

/// For whom the text of a frame is printed.
std::string owner_of(const json& frame) {
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

// ---- what a view says, on the screen ----

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

// ---- traces ----

const std::array inputs{"start", "attached", "opened", "received", "closed", "pass_ms", "due_ms"};

void check_step(trace_client& client, const json& step, view_style style) {
  auto wanted = json::array();
  for (const auto& action : step.value("actions", json::array()))
    if (!is_cancel(action))
      wanted.push_back(action);
  CHECK(client.actions == wanted);
  if (step.contains("state"))
    CHECK(step.at("state") == name_of(client.follower().state()));
  if (step.contains("events"))
    CHECK(client.events == step.at("events"));
  if (step.contains("view") && style.terminal)
    screen_check{client}.view(step.at("view"));
  if (!step.contains("end"))
    return;
  REQUIRE(client.follower().end());
  CHECK(client.follower().end()->code == step.at("end").at("code").get<std::string>());
}

void run_trace(const std::string& name, view_style style, double draw) {
  const auto steps = read_trace(name);
  trace_client client{steps.front().at("start"), style, draw};
  for (const auto& step : steps) {
    INFO(name << ".jsonl, line " << step.at("line") << ", screen:\n" << client.printed);
    for (const auto* input : inputs)
      if (step.contains(input))
        client.step(input, step.at(input));
    if (!step.contains("cancel"))
      check_step(client, step, style);
  }
  if (!style.terminal)
    CHECK(client.printed.find('\x1b') == std::string::npos);
}

// ---- cut anywhere ----

bool is_undisturbed(const std::vector<json>& steps) {
  return std::none_of(steps.begin(), steps.end(), [](const json& step) {
    return step.contains("closed") || step.contains("due_ms") || step.contains("end");
  });
}

bool is_event(const json& step) {
  return part(part(part(step, "received"), "event"), "payload").is_object();
}

bool is_transient(const std::string& type) {
  return type == "text.delta" || type == "thinking.delta" || type.starts_with("tool.use_");
}

/// What an engine replays of these frames: those above the cursor, without the pieces of messages
/// that are complete.
std::vector<json> replayed(std::vector<json> frames) {
  std::set<json> complete;
  for (const auto& frame : frames)
    if (frame.at("event").at("type") == "message.complete")
      complete.insert(frame.at("event").at("payload").at("message_id"));
  std::erase_if(frames, [&](const json& frame) {
    const auto& event = frame.at("event");
    return is_transient(event.at("type")) &&
           complete.contains(event.at("payload").at("message_id"));
  });
  return frames;
}

/// A trace of one connection, which can be cut.
class cut_trace {
 public:
  explicit cut_trace(const std::vector<json>& steps) : start_(steps.front().at("start")) {
    for (const auto& step : steps)
      if (is_event(step))
        events_.push_back(step.at("received"));
      else if (text_part(part(step, "received"), "type") == "snapshot" &&
               step.at("received").contains("session"))
        snapshot_ = step.at("received");
  }

  std::size_t size() const { return events_.size(); }

  /// What stands on the screen at the end, when the connection is lost after so many events and the
  /// client is back when the engine has sent `missed` more.
  std::string screen(std::size_t cut_at, std::size_t missed) const {
    trace_client client{start_, wide_terminal, 0};
    client.step("start", true);
    subscribe(client);
    client.receive(snapshot_.dump());
    const auto back_at = std::min(cut_at + missed, size());
    send(client, slice(0, cut_at));
    if (cut_at < size()) {
      client.step("closed", {{"code", 1006}});
      client.step("due_ms", {0, 10'000});
      subscribe(client);
      send(client, replayed(slice(cut_at, back_at)));
    }
    send(client, slice(back_at, size()));
    std::string out;
    for (const auto& line : client.screen.lines())
      out += line.text + '\n';
    return out;
  }

 private:
  static void subscribe(trace_client& client) {
    client.step("attached", {{"status", 200}, {"body", {{"ws_url", "ws://h/s"}}}});
    client.step("opened", true);
    client.receive(R"({"type":"subscribe_ack"})");
  }

  static void send(trace_client& client, const std::vector<json>& frames) {
    for (const auto& frame : frames)
      client.receive(frame.dump());
  }

  std::vector<json> slice(std::size_t from, std::size_t to) const {
    return {events_.begin() + static_cast<std::ptrdiff_t>(from),
            events_.begin() + static_cast<std::ptrdiff_t>(to)};
  }

  json start_;
  json snapshot_;
  std::vector<json> events_;
};

} // namespace

TEST_CASE("the terminal client does and shows what the session traces say") {
  const auto names = trace_names();
  REQUIRE(names.size() > 30);
  for (const auto& name : names)
    for (const auto draw : draws)
      run_trace(name, wide_terminal, draw);
}

TEST_CASE("into a pipe, the client does the same, and prints no control sequences") {
  for (const auto& name : trace_names())
    run_trace(name, pipe_style, 0.5);
}

TEST_CASE("a connection that is cut after any event changes nothing on the screen in the end") {
  std::size_t traces = 0;
  for (const auto& name : trace_names()) {
    const auto steps = read_trace(name);
    if (!is_undisturbed(steps))
      continue;
    const cut_trace trace{steps};
    const auto whole = trace.screen(trace.size(), 0);
    if (whole.find("(corrected)") != std::string::npos)
      continue; // what a client that missed the pieces never sees
    ++traces;
    for (std::size_t cut_at = 0; cut_at < trace.size(); ++cut_at)
      for (const std::size_t missed : {std::size_t{0}, std::size_t{2}, trace.size()}) {
        INFO(name << ", cut after " << cut_at << " events, " << missed << " missed");
        CHECK(trace.screen(cut_at, missed) == whole);
      }
  }
  CHECK(traces > 10);
}

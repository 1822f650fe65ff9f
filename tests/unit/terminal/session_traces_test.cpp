// The traces of session streams (tests/session_traces) against the terminal client: what it does,
// step by step, and what stands on its screen.
#include "screen_check.hpp"
#include "trace_client.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace gasoline;
using namespace gasoline::test::traces;

namespace {

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

const char* name_of(follower_state state) {
  static constexpr std::array names{"idle", "attaching", "connecting", "subscribing",
                                    "live", "waiting",   "ended"};
  return names[static_cast<std::size_t>(state)];
}

/// The user of the terminal cannot cancel, so its client has none to send.
bool is_cancel(const json& action) {
  return text_part(part(action, "send"), "type") == "cancel";
}

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

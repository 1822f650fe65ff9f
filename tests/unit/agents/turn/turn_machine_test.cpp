#include "actors/agents/turn/turn_machine.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace gasoline;
using nlohmann::json;
using type = session_event_type;

namespace {

/// Drives a machine with steps that a generator chooses, as a turn actor would, and keeps what it
/// emits.
class player {
 public:
  player() : machine_(setup()) { take(machine_.begin(now_)); }

  /// Does the possible thing that has this number.
  void play(int number) {
    now_ += std::chrono::milliseconds{1};
    switch (number % 12) {
    case 0:
      return cancel();
    case 1:
    case 2:
      return next_wanted();
    case 3:
      return end_tool(number);
    case 4:
      return finish(number);
    case 5:
      return fail(number);
    default:
      return say(number);
    }
  }

  void cancel() { take(machine_.on_cancel("user_cancel", now_)); }

  /// What the driver does by itself: calls, retries, releases; nothing while a model call runs.
  void next_wanted() {
    if (prepare_)
      return begin_call();
    if (release_) {
      release_ = false;
      return take(machine_.on_released(now_));
    }
    if (retry_) {
      retry_ = false;
      return take(machine_.on_retry());
    }
  }

  /// Ends the turn, whatever is open.
  void end() {
    cancel();
    for (const auto& id : std::set<std::string>{running_})
      outcome(id, "");
    take(machine_.on_cancel_deadline(now_));
  }

  std::vector<type> types() const {
    std::vector<type> out;
    for (const auto& e : steps_)
      out.push_back(e.draft.type);
    return out;
  }

  const std::vector<session_step>& steps() const { return steps_; }
  const turn_machine& machine() const { return machine_; }

 private:
  static turn_setup setup() {
    turn_setup out;
    out.session_id = agent_session_id{"sess_1"};
    out.turn_id = agent_turn_id{"turn_1"};
    out.provider = "fake";
    out.model = "m";
    out.user_content = json::array({{{"type", "text"}, {"text", "go"}}});
    out.make_id = [n = 0](id_kind kind) mutable {
      return std::string{name_of(kind)} + std::to_string(++n);
    };
    out.wall_now = [] { return wall_time{}; };
    return out;
  }

  void begin_call() {
    prepare_ = false;
    take(machine_.begin_call({}, now_));
  }

  void say(int number) {
    provider_chunk c;
    c.block_index = static_cast<std::uint64_t>(number / 12 % 4);
    const auto it = tools_.find(c.block_index);
    if (number % 12 < 9 && (it != tools_.end() || number % 12 == 8)) {
      c.kind = it == tools_.end() ? chunk_kind::tool_use_start : chunk_kind::tool_use_input;
      c.tool_use_id = "tu_" + std::to_string(++last_tool_);
      c.tool_name = "shell";
      c.text = it == tools_.end() ? "" : "{}";
      if (calling_)
        tools_.emplace(c.block_index, c.tool_use_id);
    } else {
      c.kind = number % 12 == 9 ? chunk_kind::thinking : chunk_kind::text;
      c.text = std::string(1, static_cast<char>('a' + number % 26));
    }
    take(machine_.on_chunk(c, now_));
  }

  void finish(int number) {
    provider_chunk c;
    c.kind = chunk_kind::finished;
    c.stop_reason = tools_.empty() || number % 5 == 0 ? "end_turn" : "tool_use";
    take(machine_.on_chunk(c, now_));
  }

  void fail(int number) {
    provider_chunk c;
    c.kind = chunk_kind::failed;
    c.failure.error_class = "network";
    c.failure.can_retry = number % 2 == 0;
    take(machine_.on_chunk(c, now_));
  }

  /// By value: the caller may name an element of `running_`.
  void outcome(std::string id, const std::string& error_class) {
    running_.erase(id);
    tool_outcome out;
    out.tool_use_id = std::move(id);
    out.error_class = error_class;
    take(machine_.on_outcome(out, now_));
  }

  void end_tool(int number) {
    if (!running_.empty())
      outcome(*running_.begin(), number % 2 == 0 ? "" : "timeout");
  }

  void take(turn_actions actions) {
    for (auto& step : actions.steps)
      steps_.push_back(std::move(step));
    prepare_ = prepare_ || actions.prepare_call;
    release_ = release_ || actions.await_release;
    retry_ = retry_ || actions.retry_in_ms.has_value();
    calling_ = actions.start_call || (calling_ && !actions.stop_call && !actions.prepare_call &&
                                      !actions.await_release && !actions.retry_in_ms);
    if (actions.start_call)
      tools_.clear();
    for (const auto& wanted : actions.start_tools)
      running_.insert(wanted.tool_use_id);
  }

  mono_time now_{};
  turn_machine machine_;
  std::vector<session_step> steps_;
  std::set<std::string> running_;
  std::map<std::uint64_t, std::string> tools_; // of the current answer
  std::uint64_t last_tool_ = 0;
  bool prepare_ = false;
  bool release_ = false;
  bool retry_ = false;
  bool calling_ = false;
};

bool is_of_model(type t) {
  return t >= type::message_start && t <= type::message_complete;
}

/// What a client makes of the deltas of one message.
json reassembled(const std::vector<session_step>& steps, const std::string& message_id) {
  auto out = json::array();
  std::map<std::size_t, std::string> inputs;
  for (const auto& s : steps) {
    const auto& p = s.draft.payload;
    if (!is_of_model(s.draft.type) || p["message_id"] != message_id ||
        !p.contains("content_block_index"))
      continue;
    const auto i = p["content_block_index"].get<std::size_t>();
    switch (s.draft.type) {
    case type::text_delta:
      if (out.size() <= i)
        out.push_back({{"type", "text"}, {"text", ""}});
      out[i]["text"] = out[i]["text"].get<std::string>() + p["text"].get<std::string>();
      break;
    case type::thinking_delta:
      if (out.size() <= i)
        out.push_back({{"type", "thinking"}, {"text", ""}, {"signature", nullptr}});
      out[i]["text"] = out[i]["text"].get<std::string>() + p["text"].get<std::string>();
      if (!p["signature"].is_null())
        out[i]["signature"] = p["signature"];
      break;
    case type::tool_use_start:
      out.push_back({{"type", "tool_use"}, {"id", p["tool_use_id"]}, {"name", p["tool_name"]}});
      break;
    case type::tool_use_input_delta:
      inputs[i] += p["partial_json"].get<std::string>();
      break;
    case type::tool_use_end:
      out[i]["input"] = p["final_input"];
      break;
    default:
      break;
    }
  }
  return out;
}

void check_stream(const std::vector<session_step>& steps) {
  std::string open_message;
  bool open_call = false;
  std::map<std::string, int> tools; // 1: called, 2: ended
  std::size_t ends = 0;
  for (const auto& s : steps) {
    const auto& p = s.draft.payload;
    RC_ASSERT(!payload_fault(s.draft.type, p));
    RC_ASSERT(s.draft.turn_id.text() == "turn_1");
    switch (s.draft.type) {
    case type::llm_call_started:
      RC_ASSERT(!open_call);
      open_call = true;
      break;
    case type::llm_call_completed:
    case type::llm_call_failed:
      RC_ASSERT(open_call);
      RC_ASSERT(open_message.empty());
      open_call = false;
      break;
    case type::message_start:
      RC_ASSERT(open_call);
      RC_ASSERT(open_message.empty());
      open_message = p["message_id"];
      break;
    case type::message_complete:
      RC_ASSERT(open_message == p["message_id"].get<std::string>());
      RC_ASSERT(reassembled(steps, open_message) == p["final_content"]);
      open_message.clear();
      break;
    case type::tool_called:
      RC_ASSERT(!open_call);
      RC_ASSERT(++tools[p["tool_use_id"]] == 1);
      break;
    case type::tool_completed:
    case type::tool_failed:
      RC_ASSERT(++tools[p["tool_use_id"]] == 2);
      break;
    case type::turn_completed:
    case type::turn_cancelled:
      ++ends;
      break;
    default:
      if (is_of_model(s.draft.type))
        RC_ASSERT(open_message == p["message_id"].get<std::string>());
      break;
    }
    RC_ASSERT(ends == 0 || &s == &steps.back());
  }
  RC_ASSERT(ends == 1);
  RC_ASSERT(!open_call);
  for (const auto& [id, state] : tools)
    RC_ASSERT(state == 2);
}

} // namespace

TEST_CASE("property: every schedule of chunks, tools and cancels ends in one consistent sequence") {
  const bool holds = rc::check([] {
    player p;
    for (const int number : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 10'000)))
      p.play(number);
    p.end();
    p.cancel();
    RC_ASSERT(p.machine().finished());
    check_stream(p.steps());
  });
  CHECK(holds);
}

TEST_CASE("schedules of that kind reach what the property speaks of") {
  std::map<type, int> seen;
  std::mt19937 random{1}; // always the same schedules
  for (int schedule = 0; schedule < 300; ++schedule) {
    player p;
    for (int step = 0; step < 40; ++step)
      p.play(static_cast<int>(random() % 10'000));
    p.end();
    p.cancel();
    for (const auto t : p.types())
      ++seen[t];
  }
  for (const auto t : {type::llm_call_completed, type::llm_call_failed, type::tool_called,
                       type::turn_completed, type::turn_cancelled, type::tool_use_end})
    CHECK(seen[t] > 0);
}

TEST_CASE("property: cancelled tools are told once each, and nothing but the end follows") {
  const bool holds = rc::check([] {
    player p;
    for (const int number : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 10'000)))
      p.play(number % 12 == 0 ? number + 1 : number);
    const auto before = p.steps().size();
    const bool over = p.machine().finished();
    p.end();
    const auto types = p.types();
    RC_ASSERT(over || types.back() == type::turn_cancelled);
    for (auto i = before; i + 1 < types.size(); ++i)
      RC_ASSERT(types[i] == type::tool_use_end || types[i] == type::message_complete ||
                types[i] == type::llm_call_failed || types[i] == type::tool_failed);
    const auto count = [&](type t) {
      return std::count(types.begin() + static_cast<std::ptrdiff_t>(before), types.end(), t);
    };
    // Either the model was answering, or tools were wanted or running: never both.
    RC_ASSERT(count(type::llm_call_failed) == 0 || count(type::tool_failed) == 0);
    RC_ASSERT(count(type::llm_call_failed) <= 1);
  });
  CHECK(holds);
}

#include "actors/agents/providers/scripted_provider.hpp"

#include "actors/agents/providers/chunk_of.hpp"
#include "actors/base/exception_guard.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

using script_player_pointer = provider_actor::stateful_pointer<scripted_provider_state>;
using chunk_list = std::vector<provider_chunk>;

/// Into how many pieces a text is cut, so that whoever shows it has something to put together.
constexpr std::size_t fragments = 4;

/// A script without delays is still no faster than clients read: after so many pieces it waits.
constexpr std::size_t burst_chunks = 16;
constexpr std::chrono::milliseconds burst_pause{1};

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Cuts a text into a few pieces, never inside a character.
std::vector<std::string> fragments_of(const std::string& text) {
  std::vector<std::string> out;
  const auto size = std::max<std::size_t>(1, (text.size() + fragments - 1) / fragments);
  for (std::size_t at = 0; at < text.size();) {
    auto end = std::min(text.size(), at + size);
    while (end < text.size() && continues_character(text[end]))
      ++end;
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

scripted_call saying(std::string text) {
  scripted_call out;
  script_step step;
  step.kind = script_step_kind::text;
  step.text = std::move(text);
  out.steps.push_back(std::move(step));
  return out;
}

std::string last_user_text(const model_call& call) {
  for (auto it = call.messages.rbegin(); it != call.messages.rend(); ++it) {
    if ((*it)->role != "user")
      continue;
    for (const auto& block : (*it)->content)
      if (block.is_object() && block.value("type", "") == "text")
        return block.value("text", "");
  }
  return {};
}

scripted_call failing(call_failure failure) {
  scripted_call out;
  out.error = std::move(failure);
  return out;
}

scripted_call call_to_play(const model_call& call) {
  if (call.script.empty())
    return saying("There is no model behind this session; you said: " + last_user_text(call));
  auto script = read_model_script(json::parse(call.script.str(), nullptr, false));
  if (!script) {
    call_failure failure;
    failure.error_class = "invalid_request";
    failure.message = std::move(script.error().message);
    return failing(std::move(failure));
  }
  if (call.call_index < script->calls.size())
    return std::move(script->calls[call.call_index]);
  return saying("The script has ended: it has " + std::to_string(script->calls.size()) +
                " calls, and this is call " + std::to_string(call.call_index) +
                " (counted from 0).");
}

void begin_answer(scripted_provider_state& state, chunk_list& out) {
  if (!std::exchange(state.begun, true))
    out.push_back(chunk_of(chunk_kind::start, 0));
}

void add_prose(scripted_provider_state& state, const script_step& step, chunk_list& out) {
  const bool thinks = step.kind == script_step_kind::thinking;
  const auto kind = thinks ? chunk_kind::thinking : chunk_kind::text;
  const auto block = state.blocks++;
  for (auto& piece : fragments_of(step.text)) {
    out.push_back(chunk_of(kind, block));
    out.back().text = std::move(piece);
  }
  if (!step.signature)
    return;
  out.push_back(chunk_of(kind, block));
  out.back().signature = step.signature;
}

void add_tool_use(scripted_provider_state& state, const script_step& step, chunk_list& out) {
  const auto block = state.blocks++;
  auto chunk = chunk_of(chunk_kind::tool_use_start, block);
  chunk.tool_name = step.name;
  chunk.tool_use_id = step.tool_use_id.empty()
                          ? "tu_" + std::to_string(state.call_index) + "_" + std::to_string(block)
                          : step.tool_use_id;
  out.push_back(std::move(chunk));
  for (auto& piece : fragments_of(dumped(step.input))) {
    out.push_back(chunk_of(chunk_kind::tool_use_input, block));
    out.back().text = std::move(piece);
  }
  out.push_back(chunk_of(chunk_kind::tool_use_end, block));
}

void add_step(scripted_provider_state& state, const script_step& step, chunk_list& out) {
  if (step.kind == script_step_kind::pause)
    return;
  begin_answer(state, out);
  if (step.kind == script_step_kind::tool_use) {
    add_tool_use(state, step, out);
  } else if (step.kind == script_step_kind::event) {
    auto chunk = chunk_of(chunk_kind::foreign, 0);
    chunk.tool_name = step.name;
    chunk.json = step.input;
    out.push_back(std::move(chunk));
  } else {
    add_prose(state, step, out);
  }
}

std::string stop_reason_of(const scripted_call& call) {
  if (!call.stop_reason.empty())
    return call.stop_reason;
  const bool uses_tools =
      std::any_of(call.steps.begin(), call.steps.end(),
                  [](const script_step& step) { return step.kind == script_step_kind::tool_use; });
  return uses_tools ? "tool_use" : "end_turn";
}

void add_end(scripted_provider_state& state, chunk_list& out) {
  if (state.call.error) {
    out.push_back(chunk_of(chunk_kind::failed, 0));
    out.back().failure = *state.call.error;
    return;
  }
  begin_answer(state, out);
  out.push_back(chunk_of(chunk_kind::finished, 0));
  out.back().stop_reason = stop_reason_of(state.call);
  out.back().usage = state.call.usage;
}

void tell(script_player_pointer self, chunk_list chunks) {
  if (!chunks.empty())
    self->send(self->state.turn, chunk_atom_v,
               std::make_shared<const chunk_list>(std::move(chunks)));
}

void play(script_player_pointer self);

void go_on_after(script_player_pointer self, std::chrono::milliseconds pause) {
  self->state.timers.start(self, pause, [self] { play(self); });
}

/// Tells everything up to the next step that waits, a burst at a time.
void play(script_player_pointer self) {
  auto& state = self->state;
  chunk_list chunks;
  while (state.next_step < state.call.steps.size()) {
    const auto& step = state.call.steps[state.next_step];
    if (step.delay_ms > 0 && !std::exchange(state.waited, false)) {
      tell(self, std::move(chunks));
      state.waited = true;
      go_on_after(self, std::chrono::milliseconds{step.delay_ms});
      return;
    }
    add_step(state, step, chunks);
    ++state.next_step;
    if (chunks.size() >= burst_chunks) {
      tell(self, std::move(chunks));
      go_on_after(self, burst_pause);
      return;
    }
  }
  add_end(state, chunks);
  tell(self, std::move(chunks));
  self->quit();
}

provider_actor::behavior_type play_call(script_player_pointer self, scripted_call call,
                                        std::uint64_t call_index, turn_actor turn) {
  guard_exceptions(self);
  self->state.call = std::move(call);
  self->state.call_index = call_index;
  self->state.turn = std::move(turn);
  play(self);
  return {[self](cancel_atom) { self->quit(); }};
}

} // namespace

provider_actor scripted_provider(caf::actor_system& system, const model_call_ptr& call,
                                 const turn_actor& turn) {
  return system.spawn(play_call, call_to_play(*call), call->call_index, turn);
}

provider_actor failed_provider(caf::actor_system& system, call_failure failure,
                               const turn_actor& turn) {
  return system.spawn(play_call, failing(std::move(failure)), std::uint64_t{0}, turn);
}

} // namespace gasoline

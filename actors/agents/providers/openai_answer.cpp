#include "actors/agents/providers/openai_answer.hpp"

#include "actors/agents/providers/call_failures.hpp"
#include "messages/base/json_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view last_word = "[DONE]";

/// Reasons of theirs by the name they have here.
constexpr std::pair<std::string_view, std::string_view> openai_stops[] = {
    {"stop", "end_turn"},          {"length", "max_tokens"},       {"tool_calls", "tool_use"},
    {"function_call", "tool_use"}, {"content_filter", "end_turn"},
};

std::string stop_of_finish(std::string_view reason) {
  const auto* row = std::find_if(std::begin(openai_stops), std::end(openai_stops),
                                 [&](const auto& r) { return r.first == reason; });
  return std::string{row == std::end(openai_stops) ? "end_turn" : row->second};
}

/// The failure that an error object in the stream tells; its code may be an HTTP status.
call_failure failure_in_stream(const json& data) {
  const auto& error = object_in(data, "error");
  const auto code = number_in(error, "code");
  const auto name = string_in(error, "code");
  const auto type = string_in(error, "type");
  auto failure = code >= 400 && code < 600       ? failure_of_status(static_cast<int>(code))
                 : name == "rate_limit_exceeded" ? failure_of_status(429)
                 : type == "invalid_request_error" && name.empty() ? failure_of_status(400)
                                                                   : failure_of_type(type);
  failure.status.reset();
  failure.message = message_of_error(data);
  return failure;
}

/// Some servers send the input as an object instead of its text.
std::string arguments_of(const json& function) {
  if (const auto& whole = object_in(function, "arguments"); !whole.empty())
    return dumped(whole);
  return string_in(function, "arguments");
}

} // namespace

bool openai_answer::take_word(std::string_view data) {
  if (data != last_word)
    return false;
  if (begun_)
    finish();
  else
    fail(incomplete_stream());
  return true;
}

void openai_answer::take_end() {
  // Some servers leave the last word out.
  if (stop_reason_.empty())
    fail(incomplete_stream());
  else
    finish();
}

void openai_answer::take_event(const std::string&, const json& data) {
  if (const auto error = data.find("error"); error != data.end() && !error->is_null())
    return fail(failure_in_stream(data));
  take_usage(object_in(data, "usage"));
  const auto choices = data.find("choices");
  if (choices == data.end() || !choices->is_array())
    return;
  for (const auto& choice : *choices)
    if (choice.is_object() && number_in(choice, "index") == 0)
      take_choice(choice);
}

void openai_answer::begin_answer() {
  if (!std::exchange(begun_, true))
    add(chunk_of(chunk_kind::start, 0));
}

void openai_answer::take_choice(const json& choice) {
  begin_answer();
  const auto& delta = object_in(choice, "delta");
  auto thinking = string_in(delta, "reasoning_content");
  if (thinking.empty())
    thinking = string_in(delta, "reasoning");
  take_prose(chunk_kind::thinking, thinking_block_, std::move(thinking));
  take_prose(chunk_kind::text, text_block_, string_in(delta, "content"));
  take_prose(chunk_kind::text, text_block_, string_in(delta, "refusal"));
  if (const auto calls = delta.find("tool_calls"); calls != delta.end() && calls->is_array())
    for (const auto& call : *calls)
      if (call.is_object())
        take_tool_call(call);
  if (auto reason = string_in(choice, "finish_reason"); !reason.empty())
    stop_reason_ = stop_of_finish(reason);
}

void openai_answer::take_prose(chunk_kind kind, std::optional<std::uint64_t>& block,
                               std::string text) {
  if (text.empty())
    return;
  if (!block)
    block = blocks_++;
  auto chunk = chunk_of(kind, *block);
  chunk.text = std::move(text);
  add(std::move(chunk));
}

openai_answer::open_tool& openai_answer::tool_of(const json& call) {
  const bool numbered = call.contains("index");
  const bool another = !numbered && (tools_.empty() || !string_in(call, "id").empty());
  const auto last = tools_.empty() ? 0 : tools_.rbegin()->first;
  const auto index = numbered                     ? number_in(call, "index")
                     : another && !tools_.empty() ? last + 1
                                                  : last;
  const auto [it, made] = tools_.try_emplace(index);
  if (made)
    it->second.block = blocks_++;
  return it->second;
}

/// Tells a tool call as soon as its name is known. Ids must differ; servers that give none or the
/// same again get one from here.
void openai_answer::tell_tool(open_tool& tool) {
  if (tool.told || tool.name.empty())
    return;
  tool.told = true;
  if (tool.id.empty() || !tool_ids_.insert(tool.id).second)
    tool.id = "call_" + std::to_string(tool.block);
  tool_ids_.insert(tool.id);
  auto chunk = chunk_of(chunk_kind::tool_use_start, tool.block);
  chunk.tool_use_id = tool.id;
  chunk.tool_name = tool.name;
  add(std::move(chunk));
}

void openai_answer::take_tool_call(const json& call) {
  auto& tool = tool_of(call);
  const auto& function = object_in(call, "function");
  if (tool.id.empty())
    tool.id = string_in(call, "id");
  if (tool.name.empty())
    tool.name = string_in(function, "name");
  tool.held += arguments_of(function);
  tell_tool(tool);
  if (!tool.told || tool.held.empty())
    return;
  auto chunk = chunk_of(chunk_kind::tool_use_input, tool.block);
  chunk.text = std::exchange(tool.held, {});
  add(std::move(chunk));
}

void openai_answer::take_usage(const json& usage) {
  if (usage.empty())
    return;
  const auto cached = number_in(object_in(usage, "prompt_tokens_details"), "cached_tokens");
  const auto prompt = number_in(usage, "prompt_tokens");
  // Theirs counts cached tokens as part of the prompt.
  usage_.input = prompt - std::min(prompt, cached);
  usage_.cache_read = cached;
  usage_.output = number_in(usage, "completion_tokens");
}

void openai_answer::finish() {
  for (const auto& [index, tool] : tools_) {
    if (!tool.told)
      return fail(malformed_stream("The provider began a tool call without a name."));
    add(chunk_of(chunk_kind::tool_use_end, tool.block));
  }
  auto chunk = chunk_of(chunk_kind::finished, 0);
  // Some servers say `stop` where they mean that tools are to be called.
  const bool calls_tools = !tools_.empty() && stop_reason_ != "max_tokens";
  chunk.stop_reason = calls_tools ? "tool_use" : stop_reason_.empty() ? "end_turn" : stop_reason_;
  chunk.usage = usage_;
  add(std::move(chunk));
}

} // namespace gasoline

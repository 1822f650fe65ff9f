#include "actors/agents/providers/openai_answer.hpp"

#include "actors/agents/providers/call_failures.hpp"
#include "messages/base/json_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view last_word = "[DONE]";
constexpr std::string_view empty_input = "{}";

/// Reasons of theirs by the name they have here.
constexpr std::pair<std::string_view, std::string_view> openai_stops[] = {
    {"stop", "end_turn"},          {"length", "max_tokens"},       {"tool_calls", "tool_use"},
    {"function_call", "tool_use"}, {"content_filter", "end_turn"}, {"max_tokens", "max_tokens"},
};

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

/// Gemini's bridges write them in capitals.
std::string stop_of_finish(std::string_view reason) {
  const auto* row = std::find_if(std::begin(openai_stops), std::end(openai_stops),
                                 [&](const auto& r) { return same_word(r.first, reason); });
  return std::string{row == std::end(openai_stops) ? "end_turn" : row->second};
}

/// The HTTP status that a server gave as a number or as its digits; 0: none.
std::uint64_t status_in(const json& error) {
  for (const char* key : {"code", "status", "status_code"}) {
    auto code = number_in(error, key);
    if (const auto digits = string_in(error, key); digits.size() == 3)
      code = static_cast<std::uint64_t>(std::strtoul(digits.c_str(), nullptr, 10));
    if (code >= 400 && code < 600)
      return code;
  }
  return 0;
}

/// The failure that an error object in the stream tells; its code may be an HTTP status.
call_failure failure_of_error(const json& error) {
  const auto code = status_in(error);
  const auto name = string_in(error, "code");
  const auto type = string_in(error, "type");
  auto failure = code > 0                        ? failure_of_status(static_cast<int>(code))
                 : name == "rate_limit_exceeded" ? failure_of_status(429)
                 : type == "invalid_request_error" && name.empty() ? failure_of_status(400)
                                                                   : failure_of_type(type);
  failure.status.reset();
  failure.message = message_of_error(error);
  return failure;
}

/// Whether a value says that something went wrong: an error object, or a sentence.
bool is_error(const json& value) {
  return (value.is_object() && !value.empty()) ||
         (value.is_string() && !value.get_ref<const std::string&>().empty());
}

/// What an event tells of a failure, in the ways that servers have of it.
std::optional<call_failure> failure_in(const std::string& type, const json& data) {
  if (const auto error = data.find("error"); error != data.end() && is_error(*error)) {
    if (error->is_object())
      return failure_of_error(*error);
    auto failure = failure_of_error(data);
    failure.message = error->get<std::string>();
    return failure;
  }
  if (type == "error" || string_in(data, "object") == "error" || string_in(data, "type") == "error")
    return failure_of_error(data);
  return std::nullopt;
}

/// Some servers send the input as an object instead of its text, and none as the text `null`.
std::string arguments_of(const json& function) {
  if (const auto it = function.find("arguments"); it != function.end() && it->is_object())
    return dumped(*it);
  auto out = string_in(function, "arguments");
  return out == "null" ? std::string{} : out;
}

/// The function of a call; in the oldest form of the API the call is the function.
const json& function_of(const json& call) {
  const auto it = call.find("function");
  return it != call.end() && it->is_object() ? *it : call;
}

/// The text of a part, which some nest once more.
std::string text_in_part(const json& part, const char* key) {
  const auto it = part.find(key);
  if (it == part.end() || !it->is_array())
    return string_in(part, key);
  std::string out;
  for (const auto& piece : *it)
    out += piece.is_string()   ? piece.get<std::string>()
           : piece.is_object() ? string_in(piece, "text")
                               : std::string{};
  return out;
}

} // namespace

bool openai_answer::take_word(std::string_view data) {
  if (data != last_word)
    return false;
  if (!begun_)
    fail(incomplete_stream());
  else if (has_usage())
    finish();
  else
    done_ = true; // some servers tell the usage after it
  return true;
}

bool openai_answer::is_answer(const json& document) const {
  const auto choices = document.find("choices");
  return (choices != document.end() && choices->is_array() && !choices->empty()) ||
         failure_in({}, document).has_value();
}

void openai_answer::take_end() {
  // Some servers leave the last word out.
  if (stop_reason_.empty() && !done_)
    fail(incomplete_stream());
  else
    finish();
}

void openai_answer::take_event(const std::string& type, const json& data) {
  if (auto failure = failure_in(type, data))
    return fail(std::move(*failure));
  take_usage(object_in(data, "usage"));
  take_usage(object_in(object_in(data, "x_groq"), "usage"));
  if (done_) {
    if (has_usage())
      finish();
    return;
  }
  const auto choices = data.find("choices");
  if (choices == data.end() || !choices->is_array())
    return;
  for (const auto& choice : *choices)
    if (choice.is_object() && number_in(choice, "index") == 0 && !ended())
      take_choice(choice);
}

void openai_answer::begin_answer() {
  if (!std::exchange(begun_, true))
    add(chunk_of(chunk_kind::start, 0));
}

void openai_answer::take_choice(const json& choice) {
  if (auto failure = failure_in({}, choice))
    return fail(std::move(*failure));
  begin_answer();
  take_usage(object_in(choice, "usage"));
  // A server that does not stream this answer sends it whole.
  const bool whole = !choice.contains("delta") && blocks_ == 0;
  const auto& delta = object_in(choice, whole ? "message" : "delta");
  auto thinking = string_in(delta, "reasoning_content");
  if (thinking.empty())
    thinking = string_in(delta, "reasoning");
  take_prose(chunk_kind::thinking, thinking_block_, std::move(thinking));
  if (const auto content = delta.find("content"); content != delta.end())
    take_content(*content);
  take_prose(chunk_kind::text, text_block_, string_in(delta, "refusal"));
  take_tool_calls(delta);
  if (const auto reason = string_in(choice, "finish_reason"); reason == "error")
    fail(failure_of_type({}));
  else if (!reason.empty())
    stop_reason_ = stop_of_finish(reason);
}

/// A text, or a list of parts that are text or thinking.
void openai_answer::take_content(const json& content) {
  if (content.is_string())
    return take_prose(chunk_kind::text, text_block_, content.get<std::string>());
  const auto parts = content.is_array() ? content : json::array({content});
  for (const auto& part : parts) {
    if (part.is_string())
      take_prose(chunk_kind::text, text_block_, part.get<std::string>());
    if (!part.is_object())
      continue;
    take_prose(chunk_kind::thinking, thinking_block_, text_in_part(part, "thinking"));
    take_prose(chunk_kind::text, text_block_, text_in_part(part, "text"));
  }
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

void openai_answer::take_tool_calls(const json& delta) {
  if (const auto call = delta.find("function_call"); call != delta.end() && call->is_object())
    take_tool_call(*call);
  const auto calls = delta.find("tool_calls");
  if (calls == delta.end())
    return;
  const auto list = calls->is_object() ? json::array({*calls}) : *calls;
  for (const auto& call : list)
    if (call.is_object())
      take_tool_call(call);
}

/// The call that this one may go on with; null: none.
openai_answer::open_tool* openai_answer::candidate_of(const json& call) {
  if (const auto index = call.find("index"); index != call.end() && index->is_number_unsigned()) {
    const auto it = newest_.find(index->get<std::uint64_t>());
    return it == newest_.end() ? nullptr : it->second;
  }
  if (const auto id = string_in(call, "id"); !id.empty()) {
    const auto it = std::find_if(tools_.rbegin(), tools_.rend(),
                                 [&](const open_tool& tool) { return tool.given_id == id; });
    if (it != tools_.rend())
      return &*it;
  }
  return tools_.empty() ? nullptr : &tools_.back();
}

namespace {

/// Whether a call that has an open one at its place is another one all the same. Servers use an
/// index again for the next call, give the same id to several, give each piece of one call an id of
/// its own, or none.
bool begins_another(const json& call, const std::string& open_id, const std::string& open_name,
                    const json_extent& open_input) {
  const auto& function = function_of(call);
  const auto name = string_in(function, "name");
  if (name.empty())
    return false; // a call begins with its name
  if (open_name.empty())
    return !open_id.empty() && !string_in(call, "id").empty() && string_in(call, "id") != open_id;
  if (name != open_name)
    return true;
  const auto input = arguments_of(function);
  const auto id = string_in(call, "id");
  const bool other_id = !id.empty() && !open_id.empty() && id != open_id;
  if (open_input.complete())
    return other_id || input.starts_with('{');
  return other_id && (!open_input.begun() || input.starts_with('{'));
}

} // namespace

openai_answer::open_tool& openai_answer::tool_of(const json& call) {
  auto* tool = candidate_of(call);
  if (tool != nullptr && !begins_another(call, tool->given_id, tool->name, tool->input))
    return *tool;
  tools_.emplace_back();
  tool = &tools_.back();
  tool->block = blocks_++;
  const auto index = call.find("index");
  newest_[index != call.end() && index->is_number_unsigned() ? index->get<std::uint64_t>()
                                                             : tools_.size() - 1] = tool;
  return *tool;
}

/// Tells a tool call as soon as its name is known. Ids must differ; servers that give none or the
/// same again get one from here.
void openai_answer::tell_tool(open_tool& tool) {
  if (tool.told || tool.name.empty())
    return;
  tool.told = true;
  auto id = tool.given_id;
  for (auto n = tool.block; id.empty() || tool_ids_.count(id) > 0; ++n)
    id = "call_" + std::to_string(n);
  tool_ids_.insert(id);
  auto chunk = chunk_of(chunk_kind::tool_use_start, tool.block);
  chunk.tool_use_id = std::move(id);
  chunk.tool_name = tool.name;
  add(std::move(chunk));
}

void openai_answer::take_tool_call(const json& call) {
  auto& tool = tool_of(call);
  const auto& function = function_of(call);
  if (tool.given_id.empty())
    tool.given_id = string_in(call, "id");
  if (tool.name.empty())
    tool.name = string_in(function, "name");
  const auto input = arguments_of(function);
  // Bridges from Anthropic's stream begin with the empty object that a block of it begins with.
  if (tool.held == empty_input && input.starts_with('{')) {
    tool.held.clear();
    tool.input = {};
  }
  tool.input.add(input);
  tool.held += input;
  tell_tool(tool);
  if (tool.held != empty_input)
    tell_input(tool);
}

void openai_answer::tell_input(open_tool& tool) {
  if (!tool.told || tool.held.empty())
    return;
  auto chunk = chunk_of(chunk_kind::tool_use_input, tool.block);
  chunk.text = std::exchange(tool.held, {});
  add(std::move(chunk));
}

/// Some servers tell the usage once, some with every event; the counts only rise.
void openai_answer::take_usage(const json& usage) {
  if (usage.empty())
    return;
  const auto cached = number_in(object_in(usage, "prompt_tokens_details"), "cached_tokens");
  prompt_tokens_ = std::max(prompt_tokens_, number_in(usage, "prompt_tokens"));
  usage_.cache_read = std::max(usage_.cache_read, cached);
  // Theirs counts cached tokens as part of the prompt.
  usage_.input = prompt_tokens_ - std::min(prompt_tokens_, usage_.cache_read);
  usage_.output = std::max(usage_.output, number_in(usage, "completion_tokens"));
  if (const auto cost = usage.find("cost"); cost != usage.end() && cost->is_number())
    usage_.cost_usd = cost->get<double>();
  auto chunk = chunk_of(chunk_kind::usage, 0);
  chunk.usage = usage_;
  add(std::move(chunk));
}

void openai_answer::finish() {
  for (auto& tool : tools_) {
    if (!tool.told)
      return fail(malformed_stream("The provider began a tool call without a name."));
    tell_input(tool);
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

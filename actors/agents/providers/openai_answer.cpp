#include "actors/agents/providers/openai_answer.hpp"

#include "actors/agents/providers/call_failures.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view last_word = "[DONE]";

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

/// Tokens of the prompt that were cached: as OpenAI, Moonshot and DeepSeek call them.
std::uint64_t cached_in(const json& usage) {
  return std::max({number_in(object_in(usage, "prompt_tokens_details"), "cached_tokens"),
                   number_in(usage, "cached_tokens"), number_in(usage, "prompt_cache_hit_tokens")});
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
  std::vector<provider_chunk> chunks;
  calls_.take(delta, blocks_, chunks);
  add_all(std::move(chunks));
}

void openai_answer::add_all(std::vector<provider_chunk> chunks) {
  for (auto& chunk : chunks)
    add(std::move(chunk));
}

/// Some servers tell the usage once, some with every event; the counts only rise.
void openai_answer::take_usage(const json& usage) {
  if (usage.empty())
    return;
  const auto cached = cached_in(usage);
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
  std::vector<provider_chunk> last;
  if (!calls_.finish(last))
    return fail(malformed_stream("The provider began a tool call without a name."));
  add_all(std::move(last));
  auto chunk = chunk_of(chunk_kind::finished, 0);
  // Some servers say `stop` where they mean that tools are to be called.
  const bool calls_tools = !calls_.empty() && stop_reason_ != "max_tokens";
  chunk.stop_reason = calls_tools ? "tool_use" : stop_reason_.empty() ? "end_turn" : stop_reason_;
  chunk.usage = usage_;
  add(std::move(chunk));
}

} // namespace gasoline

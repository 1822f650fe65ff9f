#include "actors/agents/providers/anthropic_answer.hpp"

#include "actors/agents/providers/call_failures.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

/// Kinds of content blocks that are shown; others are skipped with all that is in them.
constexpr std::pair<std::string_view, chunk_kind> block_kinds[] = {
    {"text", chunk_kind::text},
    {"thinking", chunk_kind::thinking},
    {"tool_use", chunk_kind::tool_use_input},
};

/// Reasons of theirs by the name they have here.
constexpr std::pair<std::string_view, std::string_view> anthropic_stops[] = {
    {"end_turn", "end_turn"},
    {"max_tokens", "max_tokens"},
    {"stop_sequence", "stop_sequence"},
    {"tool_use", "tool_use"},
    {"pause_turn", "end_turn"},
    {"refusal", "end_turn"},
    {"model_context_window_exceeded", "max_tokens"},
};

chunk_kind kind_of_block(std::string_view type) {
  const auto* row = std::find_if(std::begin(block_kinds), std::end(block_kinds),
                                 [&](const auto& r) { return r.first == type; });
  return row == std::end(block_kinds) ? chunk_kind::foreign : row->second;
}

std::string stop_of(std::string_view reason) {
  const auto* row = std::find_if(std::begin(anthropic_stops), std::end(anthropic_stops),
                                 [&](const auto& r) { return r.first == reason; });
  return std::string{row == std::end(anthropic_stops) ? "end_turn" : row->second};
}

} // namespace

bool anthropic_answer::take_word(std::string_view) {
  return false;
}

bool anthropic_answer::is_answer(const json& document) const {
  return string_in(document, "type") == "error";
}

void anthropic_answer::take_end() {
  fail(incomplete_stream());
}

void anthropic_answer::take_event(const std::string&, const json& data) {
  const auto type = string_in(data, "type");
  if (type == "error") {
    const auto& error = object_in(data, "error");
    auto failure = failure_of_type(string_in(error, "type"));
    failure.message = string_in(error, "message");
    fail(std::move(failure));
  } else if (type == "message_start") {
    begin_answer(data);
  } else if (type == "content_block_start") {
    begin_block(data);
  } else if (type == "content_block_delta") {
    take_delta(data);
  } else if (type == "content_block_stop") {
    end_block(data);
  } else if (type == "message_delta") {
    take_usage(object_in(data, "usage"));
    if (const auto reason = string_in(object_in(data, "delta"), "stop_reason"); !reason.empty())
      stop_reason_ = stop_of(reason);
  } else if (type == "message_stop") {
    finish();
  }
  // Pings, and what newer versions of the API add, are of no use here.
}

void anthropic_answer::begin_answer(const json& data) {
  if (std::exchange(begun_, true))
    return fail(malformed_stream("The provider began its answer twice."));
  add(chunk_of(chunk_kind::start, 0));
  take_usage(object_in(object_in(data, "message"), "usage"));
}

void anthropic_answer::begin_block(const json& data) {
  const auto index = number_in(data, "index");
  if (!begun_ || blocks_.count(index) > 0)
    return fail(malformed_stream("The provider began a block out of order."));
  const auto& content = object_in(data, "content_block");
  auto& block = blocks_[index];
  block.kind = kind_of_block(string_in(content, "type"));
  if (block.kind == chunk_kind::foreign)
    return;
  block.number = shown_blocks_++;
  if (block.kind != chunk_kind::tool_use_input) {
    auto chunk = chunk_of(block.kind, block.number);
    chunk.text = string_in(content, block.kind == chunk_kind::text ? "text" : "thinking");
    if (!chunk.text.empty())
      add(std::move(chunk));
    return;
  }
  if (const auto& input = object_in(content, "input"); !input.empty())
    block.input = dumped(input);
  uses_tools_ = true;
  auto chunk = chunk_of(chunk_kind::tool_use_start, block.number);
  chunk.tool_use_id = string_in(content, "id");
  chunk.tool_name = string_in(content, "name");
  add(std::move(chunk));
}

anthropic_answer::open_block* anthropic_answer::find(const json& data) {
  const auto it = blocks_.find(number_in(data, "index"));
  if (it != blocks_.end())
    return &it->second;
  fail(malformed_stream("The provider went on with a block that it had not begun."));
  return nullptr;
}

void anthropic_answer::take_delta(const json& data) {
  auto* block = find(data);
  if (block == nullptr || block->kind == chunk_kind::foreign)
    return;
  const auto& delta = object_in(data, "delta");
  block->signature += string_in(delta, "signature");
  auto chunk = chunk_of(block->kind, block->number);
  chunk.text = string_in(delta, block->kind == chunk_kind::text       ? "text"
                                : block->kind == chunk_kind::thinking ? "thinking"
                                                                      : "partial_json");
  if (chunk.text.empty())
    return;
  block->has_input = true;
  add(std::move(chunk));
}

void anthropic_answer::end_block(const json& data) {
  const auto* block = find(data);
  if (block == nullptr)
    return;
  if (block->kind == chunk_kind::thinking && !block->signature.empty()) {
    auto chunk = chunk_of(chunk_kind::thinking, block->number);
    chunk.signature = block->signature;
    add(std::move(chunk));
  } else if (block->kind == chunk_kind::tool_use_input) {
    auto chunk = chunk_of(chunk_kind::tool_use_input, block->number);
    chunk.text = block->input;
    if (!block->has_input && !chunk.text.empty())
      add(std::move(chunk));
    add(chunk_of(chunk_kind::tool_use_end, block->number));
  }
  blocks_.erase(number_in(data, "index"));
}

/// Counts in `message_delta` are totals and replace those of `message_start`.
void anthropic_answer::take_usage(const json& usage) {
  const std::pair<const char*, std::uint64_t token_usage::*> counts[] = {
      {"input_tokens", &token_usage::input},
      {"output_tokens", &token_usage::output},
      {"cache_read_input_tokens", &token_usage::cache_read},
      {"cache_creation_input_tokens", &token_usage::cache_creation},
  };
  for (const auto& [name, member] : counts)
    if (const auto count = number_in(usage, name); count > 0)
      usage_.*member = count;
  if (usage.empty() || !begun_)
    return;
  auto chunk = chunk_of(chunk_kind::usage, 0);
  chunk.usage = usage_;
  add(std::move(chunk));
}

void anthropic_answer::finish() {
  if (!begun_)
    return fail(malformed_stream("The provider ended an answer that it had not begun."));
  auto chunk = chunk_of(chunk_kind::finished, 0);
  // Bridges to this API leave the reason out, or say that the turn ends where tools are wanted.
  const bool calls_tools = uses_tools_ && stop_reason_ != "max_tokens";
  chunk.stop_reason = calls_tools ? "tool_use" : stop_reason_.empty() ? "end_turn" : stop_reason_;
  chunk.usage = usage_;
  add(std::move(chunk));
}

} // namespace gasoline

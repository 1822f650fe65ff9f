#include "actors/agents/turn/message_assembly.hpp"

#include "actors/agents/turn/open_event_cost.hpp"
#include "messages/base/json/json_text.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

call_failure malformed(std::string message) {
  call_failure failure;
  failure.error_class = "malformed_stream";
  failure.message = std::move(message);
  return failure;
}

event_draft draft(session_event_type type, json payload) {
  event_draft out;
  out.type = type;
  out.payload = std::move(payload);
  return out;
}

/// What a model wrote; no object when it is no JSON or nests deeper than documents may.
json parsed_input(const std::string& text, std::uint64_t max_nesting) {
  return json_nesting(text) > max_nesting ? json() : json::parse(text, nullptr, false);
}

call_failure too_large(std::string message) {
  call_failure failure;
  failure.error_class = "too_large";
  failure.message = std::move(message);
  return failure;
}

} // namespace

message_assembly::block* message_assembly::find(const provider_chunk& chunk, block_kind kind) {
  const auto it = numbers_.find(chunk.block_index);
  if (it == numbers_.end())
    return nullptr;
  auto& found = blocks_[it->second];
  return found.kind == kind && !found.ended ? &found : nullptr;
}

message_assembly::block* message_assembly::find_or_make(const provider_chunk& chunk,
                                                        block_kind kind) {
  if (numbers_.find(chunk.block_index) != numbers_.end())
    return find(chunk, kind);
  numbers_.emplace(chunk.block_index, blocks_.size());
  blocks_.emplace_back();
  blocks_.back().kind = kind;
  return &blocks_.back();
}

json message_assembly::payload(std::size_t index) const {
  return {{"message_id", message_id_}, {"content_block_index", index}};
}

std::optional<call_failure> message_assembly::add_text(const provider_chunk& chunk,
                                                       std::vector<event_draft>& events) {
  // A block without text would be in the final content and in no delta.
  if (chunk.text.empty())
    return std::nullopt;
  auto* b = find_or_make(chunk, block_kind::text);
  if (b == nullptr)
    return malformed("The provider sent text for a block that holds something else.");
  b->text += chunk.text;
  auto fields = payload(index_of(*b));
  fields["text"] = chunk.text;
  events.push_back(draft(session_event_type::text_delta, std::move(fields)));
  return std::nullopt;
}

std::optional<call_failure> message_assembly::add_thinking(const provider_chunk& chunk,
                                                           std::vector<event_draft>& events) {
  if (chunk.text.empty() && !chunk.signature)
    return std::nullopt;
  auto* b = find_or_make(chunk, block_kind::thinking);
  if (b == nullptr)
    return malformed("The provider sent thinking for a block that holds something else.");
  b->text += chunk.text;
  if (chunk.signature)
    b->signature = chunk.signature;
  auto fields = payload(index_of(*b));
  fields["text"] = chunk.text;
  fields["signature"] = chunk.signature ? json(*chunk.signature) : json(nullptr);
  events.push_back(draft(session_event_type::thinking_delta, std::move(fields)));
  return std::nullopt;
}

std::string message_assembly::unused_id(const std::string& given) const {
  auto id = given;
  for (std::uint64_t n = 2; taken_->count(id) > 0; ++n)
    id = given + "_" + std::to_string(n);
  return id;
}

std::optional<call_failure> message_assembly::start_tool(const provider_chunk& chunk,
                                                         std::vector<event_draft>& events) {
  if (numbers_.find(chunk.block_index) != numbers_.end())
    return malformed("The provider began a tool call in a block that was begun before.");
  if (chunk.tool_use_id.empty() || chunk.tool_name.empty())
    return malformed("The provider began a tool call without an id or a name.");
  auto* b = find_or_make(chunk, block_kind::tool_use);
  b->tool.tool_use_id = unused_id(chunk.tool_use_id);
  taken_->insert(b->tool.tool_use_id);
  b->tool.tool_name = chunk.tool_name;
  b->tool.input = json::object();
  auto fields = payload(index_of(*b));
  fields["tool_use_id"] = b->tool.tool_use_id;
  fields["tool_name"] = chunk.tool_name;
  events.push_back(draft(session_event_type::tool_use_start, std::move(fields)));
  return std::nullopt;
}

std::optional<call_failure> message_assembly::add_input(const provider_chunk& chunk,
                                                        std::vector<event_draft>& events) {
  auto* b = find(chunk, block_kind::tool_use);
  if (b == nullptr)
    return malformed("The provider sent input for a tool call that is not open.");
  if (chunk.text.empty())
    return std::nullopt;
  b->text += chunk.text;
  auto fields = payload(index_of(*b));
  fields["tool_use_id"] = b->tool.tool_use_id;
  fields["partial_json"] = chunk.text;
  events.push_back(draft(session_event_type::tool_use_input_delta, std::move(fields)));
  return std::nullopt;
}

void message_assembly::end_tool(std::size_t index, std::vector<event_draft>& events) {
  auto& b = blocks_[index];
  b.ended = true;
  auto input = b.text.empty() ? json::object() : parsed_input(b.text, max_nesting_);
  b.tool.valid = input.is_object();
  b.tool.input = b.tool.valid ? std::move(input) : json::object();
  auto fields = payload(index);
  fields["tool_use_id"] = b.tool.tool_use_id;
  fields["final_input"] = b.tool.input;
  events.push_back(draft(session_event_type::tool_use_end, std::move(fields)));
}

std::optional<call_failure> message_assembly::add(const provider_chunk& chunk,
                                                  std::vector<event_draft>& events) {
  bytes_ += chunk.text.size();
  if (bytes_ > max_bytes_)
    return too_large("The answer is longer than " + std::to_string(max_bytes_) +
                     " bytes (limits.session_message_bytes).");
  const auto made_before = static_cast<std::ptrdiff_t>(events.size());
  auto failure = add_chunk(chunk, events);
  for (auto it = events.begin() + made_before; it != events.end(); ++it)
    shown_bytes_ += open_event_cost(*it);
  if (!share_.hold(bytes_ + shown_bytes_))
    return too_large("The answers that all sessions are being given have reached " +
                     std::to_string(share_.most()) + " bytes (limits.session_answers_bytes).");
  return failure;
}

std::optional<call_failure> message_assembly::add_chunk(const provider_chunk& chunk,
                                                        std::vector<event_draft>& events) {
  switch (chunk.kind) {
  case chunk_kind::text:
    return add_text(chunk, events);
  case chunk_kind::thinking:
    return add_thinking(chunk, events);
  case chunk_kind::tool_use_start:
    return start_tool(chunk, events);
  case chunk_kind::tool_use_input:
    return add_input(chunk, events);
  case chunk_kind::tool_use_end: {
    const auto* b = find(chunk, block_kind::tool_use);
    if (b == nullptr)
      return malformed("The provider ended a tool call that is not open.");
    end_tool(index_of(*b), events);
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

void message_assembly::close_blocks(std::vector<event_draft>& events) {
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    if (blocks_[i].kind == block_kind::tool_use && !blocks_[i].ended)
      end_tool(i, events);
}

json message_assembly::content() const {
  auto out = json::array();
  for (const auto& b : blocks_) {
    if (b.kind == block_kind::text)
      out.push_back({{"type", "text"}, {"text", b.text}});
    else if (b.kind == block_kind::thinking)
      out.push_back({{"type", "thinking"},
                     {"text", b.text},
                     {"signature", b.signature ? json(*b.signature) : json(nullptr)}});
    else
      out.push_back({{"type", "tool_use"},
                     {"id", b.tool.tool_use_id},
                     {"name", b.tool.tool_name},
                     {"input", b.tool.input}});
  }
  return out;
}

std::vector<requested_tool> message_assembly::tools() const {
  std::vector<requested_tool> out;
  for (const auto& b : blocks_)
    if (b.kind == block_kind::tool_use)
      out.push_back(b.tool);
  return out;
}

} // namespace gasoline

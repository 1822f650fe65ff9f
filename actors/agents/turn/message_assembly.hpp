#pragma once

#include "config/limits.hpp"
#include "messages/agents/model_call.hpp"
#include "messages/agents/session_event.hpp"
#include "messages/base/byte_budget.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// A tool call that the model has written out in full.
struct requested_tool {
  std::string tool_use_id;
  std::string tool_name;
  nlohmann::json input;
  bool valid = true; ///< false: what the model wrote is no JSON object; `input` is `{}`
};

/// Puts the chunks of one model answer together and writes the streaming events on the way, so
/// that the sum of the deltas is the final content. Blocks are numbered in
/// the order of their first chunk.
class message_assembly {
 public:
  /// `taken` holds the tool use ids of the turn so far and gets those of this answer; servers that
  /// give one again have it changed. What it holds comes out of `share`.
  message_assembly(agent_message_id message_id, std::set<std::string>& taken,
                   const limits_of<ingest_room, session_room>& limit, budget_share share = {})
      : share_(std::move(share)),
        message_id_(std::move(message_id)),
        taken_(&taken),
        max_bytes_(limit.session.message_bytes),
        max_nesting_(limit.ingest.json_depth) {}

  /// Takes a chunk of kind `text`, `thinking` or `tool_use_…` and appends its events. Answers why
  /// the stream makes no sense or is too large, or nothing.
  std::optional<call_failure> add(const provider_chunk& chunk, std::vector<event_draft>& events);

  /// Ends tool blocks that are still open with what of their input parses, else with `{}`.
  void close_blocks(std::vector<event_draft>& events);

  /// The content blocks so far.
  nlohmann::json content() const;

  /// The tool calls of the answer, in order.
  std::vector<requested_tool> tools() const;

  const agent_message_id& message_id() const { return message_id_; }
  std::size_t blocks() const { return blocks_.size(); }
  std::uint64_t bytes() const { return bytes_; } ///< of text, thinking and input so far

 private:
  enum class block_kind : std::uint8_t { text, thinking, tool_use };

  struct block {
    block_kind kind = block_kind::text;
    std::string text; // of a tool: the input's JSON so far
    std::optional<std::string> signature;
    requested_tool tool;
    bool ended = false;
  };

  block* find(const provider_chunk& chunk, block_kind kind);
  block* find_or_make(const provider_chunk& chunk, block_kind kind);
  std::optional<call_failure> add_chunk(const provider_chunk& chunk,
                                        std::vector<event_draft>& events);
  std::optional<call_failure> add_text(const provider_chunk& chunk,
                                       std::vector<event_draft>& events);
  std::optional<call_failure> add_thinking(const provider_chunk& chunk,
                                           std::vector<event_draft>& events);
  std::optional<call_failure> start_tool(const provider_chunk& chunk,
                                         std::vector<event_draft>& events);
  std::optional<call_failure> add_input(const provider_chunk& chunk,
                                        std::vector<event_draft>& events);
  void end_tool(std::size_t index, std::vector<event_draft>& events);
  nlohmann::json payload(std::size_t index) const;
  std::size_t index_of(const block& b) const {
    return static_cast<std::size_t>(&b - blocks_.data());
  }

  std::string unused_id(const std::string& given) const;

  budget_share share_;
  agent_message_id message_id_;
  std::set<std::string>* taken_;
  std::uint64_t max_bytes_;
  std::uint64_t max_nesting_; // of a tool's input
  std::uint64_t bytes_ = 0;
  std::uint64_t shown_bytes_ = 0; // of the events that it has made
  std::vector<block> blocks_;
  std::map<std::uint64_t, std::size_t> numbers_; // the provider's index to ours
};

} // namespace gasoline

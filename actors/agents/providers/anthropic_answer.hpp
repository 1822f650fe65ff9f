#pragma once

#include "actors/agents/providers/streamed_answer.hpp"

#include <map>

namespace gasoline {

/// The event stream of the Anthropic Messages API.
class anthropic_answer final : public streamed_answer {
 public:
  using streamed_answer::streamed_answer;

 private:
  /// A content block that has begun and not ended.
  struct open_block {
    chunk_kind kind = chunk_kind::text; ///< of its deltas; `foreign`: not shown
    std::uint64_t number = 0;           ///< among the blocks that are shown
    std::string signature;              ///< of thinking, so far
    std::string input;                  ///< of a tool, as given when it began
    bool has_input = false;             ///< a part of the tool's input came
  };

  void take_event(const std::string& type, const nlohmann::json& data) override;
  bool take_word(std::string_view data) override;
  bool is_answer(const nlohmann::json& document) const override;
  void take_end() override;

  void begin_answer(const nlohmann::json& data);
  void begin_block(const nlohmann::json& data);
  void take_delta(const nlohmann::json& data);
  void end_block(const nlohmann::json& data);
  void take_usage(const nlohmann::json& usage);
  void finish();
  open_block* find(const nlohmann::json& data);

  std::map<std::uint64_t, open_block> blocks_;
  std::uint64_t shown_blocks_ = 0;
  std::string stop_reason_;
  token_usage usage_;
  bool begun_ = false;
  bool uses_tools_ = false;
};

} // namespace gasoline

#pragma once

#include "actors/agents/providers/json_extent.hpp"
#include "actors/agents/providers/streamed_answer.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>

namespace gasoline {

/// The event stream of OpenAI's Chat Completions, as OpenAI sends it and as Ollama, llama.cpp,
/// vLLM, Mistral, OpenRouter and bridges do, each with habits of its own.
class openai_answer final : public streamed_answer {
 public:
  using streamed_answer::streamed_answer;

  bool lingers() const override { return done_ && !ended(); }

 private:
  /// A tool call that has begun.
  struct open_tool {
    std::uint64_t block = 0;
    std::string given_id; ///< by the server; empty: none yet
    std::string name;
    std::string held; ///< input that is not told yet
    json_extent input;
    bool told = false;
  };

  void take_event(const std::string& type, const nlohmann::json& data) override;
  bool take_word(std::string_view data) override;
  bool is_answer(const nlohmann::json& document) const override;
  void take_end() override;

  void begin_answer();
  void take_choice(const nlohmann::json& choice);
  void take_content(const nlohmann::json& content);
  void take_prose(chunk_kind kind, std::optional<std::uint64_t>& block, std::string text);
  void take_tool_calls(const nlohmann::json& delta);
  void take_tool_call(const nlohmann::json& call);
  open_tool& tool_of(const nlohmann::json& call);
  open_tool* candidate_of(const nlohmann::json& call);
  void tell_tool(open_tool& tool);
  void tell_input(open_tool& tool);
  void take_usage(const nlohmann::json& usage);
  bool has_usage() const { return prompt_tokens_ > 0 || usage_.output > 0; }
  void finish();

  std::deque<open_tool> tools_;                ///< in the order in which they began
  std::map<std::uint64_t, open_tool*> newest_; ///< of each index
  std::optional<std::uint64_t> text_block_;
  std::optional<std::uint64_t> thinking_block_;
  std::set<std::string> tool_ids_;
  std::uint64_t blocks_ = 0;
  std::string stop_reason_;
  token_usage usage_;
  std::uint64_t prompt_tokens_ = 0; ///< with the cached ones
  bool begun_ = false;
  bool done_ = false; ///< the last word has come, but no usage
};

} // namespace gasoline

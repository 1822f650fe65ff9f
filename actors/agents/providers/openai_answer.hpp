#pragma once

#include "actors/agents/providers/streamed_answer.hpp"

#include <map>
#include <optional>
#include <set>

namespace gasoline {

/// The event stream of OpenAI's Chat Completions, as OpenAI, Ollama, llama.cpp and vLLM send it.
class openai_answer final : public streamed_answer {
 public:
  using streamed_answer::streamed_answer;

 private:
  /// A tool call that has begun.
  struct open_tool {
    std::uint64_t block = 0;
    std::string id;
    std::string name;
    std::string held; ///< input that came before the name
    bool told = false;
  };

  void take_event(const std::string& type, const nlohmann::json& data) override;
  bool take_word(std::string_view data) override;
  void take_end() override;

  void begin_answer();
  void take_choice(const nlohmann::json& choice);
  void take_prose(chunk_kind kind, std::optional<std::uint64_t>& block, std::string text);
  void take_tool_call(const nlohmann::json& call);
  open_tool& tool_of(const nlohmann::json& call);
  void tell_tool(open_tool& tool);
  void take_usage(const nlohmann::json& usage);
  void finish();

  std::map<std::uint64_t, open_tool> tools_;
  std::optional<std::uint64_t> text_block_;
  std::optional<std::uint64_t> thinking_block_;
  std::set<std::string> tool_ids_;
  std::uint64_t blocks_ = 0;
  std::string stop_reason_;
  token_usage usage_;
  bool begun_ = false;
};

} // namespace gasoline

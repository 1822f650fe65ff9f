#pragma once

#include "actors/agents/providers/openai_tool_calls.hpp"
#include "actors/agents/providers/streamed_answer.hpp"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {

/// The event stream of OpenAI's Chat Completions, as OpenAI sends it and as Ollama, llama.cpp,
/// vLLM, Mistral, OpenRouter and bridges do, each with habits of its own.
class openai_answer final : public streamed_answer {
 public:
  /// `offered`: names of the tools that the model may call.
  explicit openai_answer(const limits_of<ingest_room, session_room>& limit,
                         std::set<std::string> offered = {})
      : streamed_answer(limit), calls_(std::move(offered)) {}

  bool lingers() const override { return done_ && !ended(); }

 private:
  void take_event(const std::string& type, const nlohmann::json& data) override;
  bool take_word(std::string_view data) override;
  bool is_answer(const nlohmann::json& document) const override;
  void take_end() override;

  void begin_answer();
  void take_choice(const nlohmann::json& choice);
  void take_content(const nlohmann::json& content);
  void take_prose(chunk_kind kind, std::optional<std::uint64_t>& block, std::string text);
  void take_tool_calls(const nlohmann::json& delta);
  void add_all(std::vector<provider_chunk> chunks);
  void take_usage(const nlohmann::json& usage);
  bool has_usage() const { return prompt_tokens_ > 0 || usage_.output > 0; }
  void finish();

  openai_tool_calls calls_;
  std::optional<std::uint64_t> text_block_;
  std::optional<std::uint64_t> thinking_block_;
  std::uint64_t blocks_ = 0;
  std::string stop_reason_;
  token_usage usage_;
  std::uint64_t prompt_tokens_ = 0; ///< with the cached ones
  bool begun_ = false;
  bool done_ = false; ///< the last word has come, but no usage
};

} // namespace gasoline

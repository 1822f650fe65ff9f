#pragma once

#include "config/state_location.hpp"
#include "messages/alerts/hook_question.hpp"
#include "transport/attach/attach_call.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace gasoline {

/// What a running engine has to say to one hook. It counts as said once `confirm` was called.
class engine_question {
 public:
  /// Asks the engine of that state directory; nothing: none runs, or it does not answer in time.
  static std::optional<engine_question> ask(const std::filesystem::path& state_dir,
                                            const environment& env, const hook_question& question,
                                            std::chrono::steady_clock::time_point end);

  /// Empty: there is nothing to say.
  const std::string& text() const { return text_; }

  /// The text has been printed.
  void confirm();

 private:
  engine_question(attach_call call, std::string text)
      : call_(std::move(call)), text_(std::move(text)) {}

  attach_call call_;
  std::string text_;
};

} // namespace gasoline

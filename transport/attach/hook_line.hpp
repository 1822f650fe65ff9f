#pragma once

#include "config/values/user_error.hpp"
#include "messages/alerts/hook_question.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

// The lines between a hook and the engine, after the hellos: a question, its answer, and
// `hook_shown` when the hook has printed it. All without line break.

/// What the hook says when its text has reached its client.
inline constexpr std::string_view hook_shown = "shown";

std::string question_line(const hook_question& question);

/// The place of the process is not in it. Nothing: this is no question.
std::optional<hook_question> parse_question(std::string_view line);

std::string answer_line(const hook_answer& answer);

/// The text that the engine answers; empty: there is none, or the line is no answer.
std::string parse_answer(std::string_view line);

/// Whether the text can name an agent or a conversation: letters, digits and `-_.:#`, at most 128.
bool is_plain_name(std::string_view text);

} // namespace gasoline

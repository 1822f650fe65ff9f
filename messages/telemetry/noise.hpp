#pragma once

#include "messages/base/enum_names.hpp"

#include <cstdint>
#include <string>

namespace gasoline {

/// What a `noise_rule` call does.
enum class noise_action : std::uint8_t { add, remove, list, reset, auto_detect };

template <>
struct enum_table<noise_action> {
  static constexpr std::array<std::pair<noise_action, std::string_view>, 5> rows{{
      {noise_action::add, "add"},
      {noise_action::remove, "remove"},
      {noise_action::list, "list"},
      {noise_action::reset, "reset"},
      {noise_action::auto_detect, "auto_detect"},
  }};
};

/// Which text of an event a noise rule looks at.
enum class noise_field : std::uint8_t { message, url, stack };

template <>
struct enum_table<noise_field> {
  static constexpr std::array<std::pair<noise_field, std::string_view>, 3> rows{{
      {noise_field::message, "message"},
      {noise_field::url, "url"},
      {noise_field::stack, "stack"},
  }};
};

/// A checked `configure {action:"noise_rule"}` call.
struct noise_command {
  noise_action action = noise_action::list;
  std::string rule_id;                      ///< `remove`
  std::string pattern;                      ///< `add`: RE2 expression
  noise_field field = noise_field::message; ///< `add`
  std::string reason;                       ///< `add`: shown in `list`
  std::string added_by;                     ///< the client's name
};

/// The answer: compact JSON, or a sentence that says what was wrong.
struct command_answer {
  std::string text;
  bool is_error = false;
};

} // namespace gasoline

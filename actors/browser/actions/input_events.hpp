#pragma once

#include "config/user_error.hpp"
#include "messages/browser/browser_action.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// A command of the domain `Input`, without its session.
struct input_command {
  std::string_view method;
  nlohmann::json parameters;
};

/// A click as a mouse makes it, at a point of the page.
std::vector<input_command> click_events(double x, double y, click_kind kind);

/// The mouse comes to a point.
input_command move_event(double x, double y);

/// Keys that are pressed and let go, as in `Enter` or `Control+Shift+A`. The error names what keys
/// there are.
result_or<std::vector<input_command>> key_events(std::string_view keys);

/// A text as it is typed, a key for each character; a long one comes at once, as if pasted.
std::vector<input_command> typing_events(std::string_view text);

} // namespace gasoline

#pragma once

#include "config/values/user_error.hpp"
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

// Drags, from one point to another.

/// The button goes down, and the mouse moves a little: enough for a drag to begin.
std::vector<input_command> drag_begin_events(double x, double y, double to_x, double to_y);

/// The mouse moves there, in steps, and the button goes up.
std::vector<input_command> drag_end_events(double x, double y);

/// The same where the browser carries something, as `Input.dragIntercepted` has told it.
std::vector<input_command> drop_events(double x, double y, const nlohmann::json& carried);

/// Keys that are pressed and let go, as in `Enter` or `Control+Shift+A`. The error names what keys
/// there are.
result_or<std::vector<input_command>> key_events(std::string_view keys);

/// A text as it is typed, a key for each character; a long one comes at once, as if pasted.
std::vector<input_command> typing_events(std::string_view text);

} // namespace gasoline

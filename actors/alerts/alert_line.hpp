#pragma once

#include "messages/alerts/merged_alert.hpp"

#include <cstddef>
#include <string>

namespace gasoline {

/// The alert in one line for a model, without line break, at most `bytes` long (80 at least):
/// `error alert_12 "TypeError: x is undefined" at checkout (app.js:41:7), localhost:3000/cart, x3,
/// more: observe {"what":"errors"}`. What a page wrote stands in quotes and cannot end them, open a
/// tag or begin a line.
std::string alert_line(const merged_alert& m, std::size_t bytes);

} // namespace gasoline

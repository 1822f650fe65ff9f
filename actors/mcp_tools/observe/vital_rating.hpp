#pragma once

#include "messages/telemetry/event.hpp"

#include <string_view>

namespace gasoline {

/// What the public thresholds of web vitals say of a value: good, needs improvement, poor; unrated
/// for metrics without any.
std::string_view vital_rating(page_metric metric, double value);

} // namespace gasoline

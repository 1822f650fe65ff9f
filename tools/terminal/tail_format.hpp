#pragma once

namespace gasoline {

/// How `gasoline tail` shows events.
enum class tail_format { text, json };

} // namespace gasoline

#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// A body of a request or an answer as a reader needs it at first: whole when it is short; of a
/// longer JSON document all names with the first values, of lists the first element and how many
/// follow; of any other text the beginning, and how long it is.
std::string body_shape(std::string_view body);

} // namespace gasoline

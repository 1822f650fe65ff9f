#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// The frames of a trace of Python, Go, Ruby, PHP or .NET in the form that the engine reads, which
/// is that of V8 and Java: `    at function (file:line)`, the one that threw first. A trace of
/// another kind stays as it is.
std::string readable_stack(std::string_view stack);

} // namespace gasoline

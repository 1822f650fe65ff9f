#pragma once

#include <cstddef>
#include <string_view>

namespace gasoline {

// Numbers that name a fault (an HTTP status, an exit code, an error number, a SQL state, the `#418`
// of a framework) against numbers that only count or point (ids, ports, durations, positions). The
// former belong to a fault's identity; the latter vary from one occurrence to the next.

/// Whether the number in [`begin`, `end`) of `line` names the fault that the line tells about.
/// Reads the words around it only, so the cost does not grow with the line.
bool names_fault(std::string_view line, std::size_t begin, std::size_t end);

/// Whether [`begin`, `end`) of `line` is an error code made of capitals and digits where one is
/// expected: `ORA-00942: …`, `NG0100`, `error TS2322`, `[E11000]`.
bool is_error_code(std::string_view line, std::size_t begin, std::size_t end);

/// Whether the text that begins at `begin`, a quote perhaps, is announced as a code: `code:
/// '23505'`.
bool is_announced_code(std::string_view line, std::size_t begin);

/// The HTTP status of a failure that the line names (`failed with status code 404`); 0: none.
int named_status(std::string_view line);

} // namespace gasoline

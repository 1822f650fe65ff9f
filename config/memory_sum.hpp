#pragma once

#include "config/limits.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// One thing that others can make grow, and how far.
struct memory_row {
  std::string_view what;
  std::string_view formula; ///< of limits
  std::uint64_t (*bytes)(const limits&);
};

/// All of them. What is not here is of fixed size, or small beside these.
const std::vector<memory_row>& memory_table();

/// What all of them hold when every cap is reached at once, in bytes, beside the program itself.
std::uint64_t memory_sum(const limits& of);

/// The table with the usual limits as Markdown, for `config/README.md`.
std::string memory_table_text();

} // namespace gasoline

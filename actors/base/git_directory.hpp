#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gasoline {

/// Where the repository keeps what is of this working tree; empty: there is none.
std::filesystem::path git_directory(const std::filesystem::path& root);

/// The value behind `key` when the text's first line begins with it; else empty.
std::string first_line_value(std::string_view text, std::string_view key);

} // namespace gasoline

#include "transport/http/head/header_text.hpp"

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::size_t shown_bytes = 80;

} // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string shown(std::string_view text) {
  std::string out(text.substr(0, shown_bytes));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < 0x20 || c > 0x7E; }, '?');
  return '"' + out + '"';
}

} // namespace gasoline

#include "transport/http/head/header_text.hpp"

#include "messages/base/letters.hpp"

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::size_t shown_bytes = 80;

} // namespace

std::string_view trimmed(std::string_view text) {
  return ascii::trimmed(text, " \t");
}

std::string shown(std::string_view text) {
  std::string out(text.substr(0, shown_bytes));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < 0x20 || c > 0x7E; }, '?');
  return '"' + out + '"';
}

} // namespace gasoline

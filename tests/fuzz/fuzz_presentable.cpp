// Text of others on its way to a model or a terminal: after the one table of escapes nothing is
// left that it escapes, and a second time changes nothing.
#include "messages/base/presentable_text.hpp"
#include "messages/base/utf8.hpp"

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

namespace {

bool has_control(std::string_view text, std::string_view allowed) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 || c == 0x7f) &&
        allowed.find(c) == std::string_view::npos)
      return true;
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == '\xC2' && static_cast<unsigned char>(text[i + 1]) < 0xA0)
      return true;
  return false;
}

void check(bool holds) {
  if (!holds)
    std::abort();
}

} // namespace

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  std::string shown{text};
  make_presentable(shown);
  check(!has_control(shown, "\t\r\n"));
  auto again = shown;
  check(make_presentable(again) == 0 && again == shown);
  check(!has_control(terminal_text(text), "\t\n"));
  check(!has_control(terminal_line(text), ""));
  // No further line stands at the left margin.
  const auto printed = terminal_text(text);
  for (std::size_t at = printed.find('\n'); at != std::string::npos;
       at = printed.find('\n', at + 1))
    check(at + 1 == printed.size() || printed[at + 1] == ' ');
  return 0;
}

#include "messages/base/letters.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace gasoline;

TEST_CASE("texts are compared without the case of their letters, and no byte behind them is read") {
  CHECK(ascii::same_letters("Text/EVENT-stream", "text/event-stream"));
  CHECK(ascii::same_letters("", ""));
  CHECK_FALSE(ascii::same_letters("chunked", "chunke"));
  CHECK_FALSE(ascii::same_letters("a@", "A`"));
  CHECK_FALSE(ascii::same_letters("\xC3\x84", "\xC3\xA4"));
  // The sanitizers see what is read behind the end.
  const std::vector<char> exact{'G', 'E', 'T'};
  CHECK(ascii::same_letters({exact.data(), exact.size()}, "get"));
}

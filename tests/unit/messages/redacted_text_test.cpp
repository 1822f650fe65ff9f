#include "messages/base/redacted_text.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace gasoline {

TEST_CASE("decimals have up to three places and survive any number") {
  CHECK(redacted_text{}.append_decimal(1234.5).str() == "1234.5");
  CHECK(redacted_text{}.append_decimal(0.1 + 0.2).str() == "0.3");
  CHECK(redacted_text{}.append_decimal(7).str() == "7");
  CHECK(redacted_text{}.append_decimal(1e300).str() == "1.000000e+300");
  CHECK(redacted_text{}.append_decimal(std::numeric_limits<double>::infinity()).str() == "0");
}

TEST_CASE("shortening cuts between characters and shows that it did") {
  const auto text = redacted(literal{"gr\xC3\xBC\xC3\x9F dich"});
  CHECK(text.shortened(100) == text);
  CHECK(text.shortened(6).str() == "gr\xE2\x80\xA6");
}

} // namespace gasoline

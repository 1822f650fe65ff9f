#include "messages/base/encoding/base64.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {

// RFC 4648, section 10.
TEST_CASE("base64: the test vectors of its specification, both ways") {
  const std::string bytes = "foobar";
  const char* const texts[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (std::size_t n = 0; n <= bytes.size(); ++n) {
    CHECK(base64_encoded(bytes.substr(0, n)) == texts[n]);
    CHECK(base64_decoded_strictly(texts[n]) == bytes.substr(0, n));
  }
}

TEST_CASE("base64: any byte may be in it") {
  const std::string bytes{"\xFB\xFF\x00\xBF", 4};
  CHECK(base64_encoded(bytes) == "+/8Avw==");
}

} // namespace gasoline

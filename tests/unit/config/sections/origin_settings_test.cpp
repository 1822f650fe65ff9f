#include "config/sections/origin_settings.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace gasoline;

namespace {

bool covers(std::string_view pattern, std::string_view origin) {
  const auto parsed = origin_pattern::parse(pattern);
  REQUIRE(parsed.has_value());
  return parsed->covers(origin);
}

} // namespace

TEST_CASE("an origin covers itself alone") {
  CHECK(covers("http://myapp.test:3000", "http://myapp.test:3000"));
  CHECK(covers("http://MyApp.test:3000", "http://myapp.test:3000"));
  CHECK(covers("tauri://localhost", "tauri://localhost"));
  CHECK(covers("chrome-extension://abcdef", "chrome-extension://abcdef"));
  for (const std::string_view other :
       {"http://myapp.test", "https://myapp.test:3000", "http://myapp.test:3001",
        "http://myapp.test.evil.test:3000", "http://evil.test:3000", "null", "", "myapp.test",
        "http://myapp.test:3000@evil.test", "http://myapp.test:3000/"}) {
    CAPTURE(other);
    CHECK_FALSE(covers("http://myapp.test:3000", other));
  }
}

TEST_CASE("a star stands for any port, a host alone for any scheme and port") {
  CHECK(covers("http://192.168.1.20:*", "http://192.168.1.20:5173"));
  CHECK(covers("http://192.168.1.20:*", "http://192.168.1.20"));
  CHECK_FALSE(covers("http://192.168.1.20:*", "https://192.168.1.20:5173"));
  CHECK(covers("myapp.test", "https://myapp.test"));
  CHECK(covers("myapp.test", "http://myapp.test:8080"));
  CHECK(covers("[::1]", "http://[::1]:3000"));
  CHECK_FALSE(covers("myapp.test", "http://www.myapp.test"));
  CHECK_FALSE(covers("localhost", "null"));
}

TEST_CASE("what is no origin is refused with a sentence that shows one") {
  for (const std::string_view text :
       {"", "*", "null://", "http://", "http://*", "http://a b", "http://myapp.test/path",
        "http://myapp.test:", "http://myapp.test:0", "http://myapp.test:99999", "myapp.test:3000",
        "://x", "1http://x", "http://user@myapp.test"}) {
    CAPTURE(text);
    const auto parsed = origin_pattern::parse(text);
    REQUIRE_FALSE(parsed.has_value());
    CHECK(parsed.error().message.find("http://myapp.test:3000") != std::string::npos);
  }
}

TEST_CASE("a list is separated by commas; what may read may send") {
  auto trusted = read_origin_list("http://a.test,b.test");
  REQUIRE(trusted.has_value());
  const origin_settings origins{{}, *trusted};
  CHECK(origins.trusts("http://a.test"));
  CHECK(origins.allows("https://b.test:1"));
  CHECK_FALSE(origins.allows("http://c.test"));
  CHECK_FALSE(read_origin_list("http://a.test,,").has_value());
  CHECK(read_origin_list("")->empty());
}

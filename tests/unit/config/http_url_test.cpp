#include "config/http_url.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

TEST_CASE("a URL is taken apart") {
  const auto plain = parse_http_url("HTTPS://API.example.com/v1/x?y=1");
  REQUIRE(plain);
  CHECK(plain->secure);
  CHECK(plain->host == "api.example.com");
  CHECK(plain->port == "443");
  CHECK(plain->path == "/v1/x?y=1");
  CHECK(host_header(*plain) == "api.example.com");
  const auto local = parse_http_url("http://127.0.0.1:11434");
  REQUIRE(local);
  CHECK(local->port == "11434");
  CHECK(local->path == "/");
  CHECK(host_header(*local) == "127.0.0.1:11434");
  CHECK(is_loopback(*local));
  const auto six = parse_http_url("http://[::1]:8080?x");
  REQUIRE(six);
  CHECK(six->host == "::1");
  CHECK(six->path == "/?x");
  CHECK(host_header(*six) == "[::1]:8080");
  CHECK(is_loopback(*six));
}

TEST_CASE("what is no URL of a server is refused with a sentence") {
  for (const auto* text :
       {"", "example.com", "ftp://a", "http://", "http:///x", "https://a:b", "https://a:0",
        "https://a:70000", "https://a:", "https://u:p@a/", "http://a b/", "http://a/#f",
        "http://[::1", "http://[zz]/", "http://[]/", "http://a\r\nHost: b/", "http://b\xC3\xBC/"}) {
    const auto url = parse_http_url(text);
    REQUIRE_MESSAGE(!url, text);
    CHECK(url.error().message.find("give one such as") != std::string::npos);
  }
}

TEST_CASE("a name that only looks like this machine is another") {
  for (const auto* text : {"http://127.0.0.1.example.com/", "http://localhost.example.com/",
                           "http://127.evil.test/", "http://128.0.0.1/"})
    CHECK_MESSAGE(!is_loopback(*parse_http_url(text)), text);
}

#include "transport/http/rights/http_origin.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace gasoline;

TEST_CASE("hosts that name this machine pass") {
  for (const std::string_view host :
       {"localhost", "LocalHost", "localhost:7890", "localhost:65535", "127.0.0.1", "127.0.0.1:1",
        "[::1]", "[::1]:7890", "host.docker.internal", "Host.Docker.Internal:7890",
        "host.containers.internal:7890"}) {
    CAPTURE(host);
    CHECK(is_local_authority(host));
  }
}

TEST_CASE("every other host is refused") {
  for (const std::string_view host : {"",
                                      ":",
                                      ":7890",
                                      "evil.test",
                                      "evil.test:7890",
                                      "localhost.",
                                      "docker.internal",
                                      "a.host.docker.internal",
                                      "host.docker.internal.evil.test",
                                      "gateway.internal:7890",
                                      "localhost.:7890",
                                      "localhost.evil.test",
                                      "127.0.0.1.evil.test",
                                      "127.0.0.1.",
                                      "127.0.0.2",
                                      "127.1",
                                      "0.0.0.0",
                                      "2130706433",
                                      "0x7f000001",
                                      "[::]",
                                      "[::1",
                                      "::1",
                                      "::1:7890",
                                      "[::1].evil.test",
                                      "[::ffff:127.0.0.1]",
                                      "[0:0:0:0:0:0:0:1]",
                                      "localhost:",
                                      "localhost:65536",
                                      "localhost:-1",
                                      "localhost:+1",
                                      "localhost: 80",
                                      "localhost:80x",
                                      "localhost:7890:7890",
                                      "localhost@evil.test",
                                      "user@localhost",
                                      "localhost/",
                                      "localhost\\",
                                      " localhost",
                                      "localhost ",
                                      "localhost,evil.test",
                                      "[::1]x:80",
                                      "x[::1]:80"}) {
    CAPTURE(host);
    CHECK_FALSE(is_local_authority(host));
  }
  CHECK_FALSE(is_local_authority(std::string_view("localhost\0", 10)));
}

TEST_CASE("local pages and browser extensions are allowed origins") {
  for (const std::string_view origin :
       {"http://localhost", "https://localhost", "http://localhost:3000", "HTTP://LOCALHOST:3000",
        "http://127.0.0.1", "https://127.0.0.1:8443", "http://[::1]", "http://[::1]:5173",
        "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
        "moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc",
        "safari-web-extension://E3449EA7-EC25-4696-8E6F-5A8B3A2A9B8B"}) {
    CAPTURE(origin);
    CHECK(is_local_origin(origin));
  }
}

TEST_CASE("every other origin is refused") {
  for (const std::string_view origin : {"",
                                        "null",
                                        "NULL",
                                        "*",
                                        "http://",
                                        "http:///",
                                        "http://evil.test",
                                        "http://localhost.evil.test",
                                        "http://127.0.0.1.evil",
                                        "http://localhost@evil",
                                        "http://localhost:80@evil.test",
                                        "http://evil.test#localhost",
                                        "http://evil.test/localhost",
                                        "http://localhost.",
                                        "http://localhost/",
                                        "http://localhost:3000/path",
                                        "http://localhost http://evil.test",
                                        "https://[::1]evil",
                                        "file://",
                                        "file://localhost",
                                        "ftp://localhost",
                                        "ws://localhost",
                                        "data:text/html",
                                        "localhost",
                                        "//localhost",
                                        "chrome-extension://",
                                        "chrome-extension://abc/def",
                                        "chrome-extension://abc:80",
                                        "chrome-extension://abc@evil.test",
                                        "chrome-extension://a.b",
                                        "chrome-extension:abc",
                                        "evil-extension://abc",
                                        "xchrome-extension://abc",
                                        "http://http://localhost"}) {
    CAPTURE(origin);
    CHECK_FALSE(is_local_origin(origin));
  }
}

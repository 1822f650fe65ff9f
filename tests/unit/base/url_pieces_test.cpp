#include "actors/base/url_pieces.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

TEST_CASE("url_pieces: this machine is a loopback address or a name of it, and no name like one") {
  for (const auto* host :
       {"localhost", "app.localhost", "127.0.0.1", "127.8.9.1", "[::1]", "0.0.0.0"})
    CHECK_MESSAGE(is_local_host(host), host);
  for (const auto* host : {"127.evil.com", "127.0.0.1.evil.com", "localhost.evil.com", "128.0.0.1",
                           "evil-localhost", ""})
    CHECK_MESSAGE(!is_local_host(host), host);
}

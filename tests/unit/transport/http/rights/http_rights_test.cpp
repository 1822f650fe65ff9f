#include "transport/http/rights/http_rights.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace gasoline;

namespace {

struct row {
  std::string_view who;
  http_caller caller;
  bool load, send, use;
};

http_caller page(std::string_view origin) {
  return {origin, "same-site", peer_user::own, false};
}

http_caller browser(std::string_view site) {
  return {std::nullopt, site, peer_user::own, false};
}

http_caller with_token(http_caller caller) {
  caller.has_token = true;
  return caller;
}

http_caller of(peer_user user) {
  return {std::nullopt, {}, user, false};
}

} // namespace

TEST_CASE("the table of rights, from both sides") {
  const http_rights rights{{*read_origin_list("http://myapp.test"),
                            *read_origin_list("http://dash.test:8000,chrome-extension://pinned")}};
  const std::vector<row> table{
      {"page of this machine", page("http://localhost:3000"), true, true, false},
      {"page below localhost", page("http://app.localhost:3000"), true, true, false},
      {"extension", page("chrome-extension://abc"), true, true, false},
      {"allowed origin", page("http://myapp.test"), true, true, false},
      {"trusted origin", page("http://dash.test:8000"), true, true, true},
      {"pinned extension", page("chrome-extension://pinned"), true, true, true},
      {"foreign page", page("http://evil.test"), false, false, false},
      {"sandboxed page", page("null"), false, false, false},
      {"foreign page with the token", with_token(page("http://evil.test")), false, false, false},
      {"page of this machine with the token", with_token(page("http://localhost:1")), true, true,
       true},
      {"frame in a foreign page", browser("cross-site"), true, false, false},
      {"frame in a page of another port", browser("same-site"), true, false, false},
      {"browser that says something new", browser("next-site"), true, false, false},
      {"typed into the address bar", browser("none"), true, true, true},
      {"program of the same user", of(peer_user::own), true, true, true},
      {"program of another user", of(peer_user::other), false, false, false},
      {"another user with the token", with_token(of(peer_user::other)), true, true, true},
      {"nobody knows whose program", of(peer_user::unknown), false, false, false},
  };
  for (const auto& r : table) {
    CAPTURE(r.who);
    CHECK(rights.refusal(http_right::load, r.caller).has_value() != r.load);
    CHECK(rights.refusal(http_right::send, r.caller).has_value() != r.send);
    CHECK(rights.refusal(http_right::use, r.caller).has_value() != r.use);
  }
}

TEST_CASE("a refusal says what to do") {
  const http_rights rights;
  const auto sentence = [&](http_right right, const http_caller& caller) {
    const auto refusal = rights.refusal(right, caller);
    return refusal ? refusal->sentence : std::string{};
  };
  const auto strange = sentence(http_right::send, page("http://myapp.test\x1b[31m"));
  CHECK(strange.find("--allowed-origin") != std::string::npos);
  CHECK(strange.find('\x1b') == std::string::npos);
  CHECK(sentence(http_right::use, page("http://localhost:3000")).find("--trusted-origin") !=
        std::string::npos);
  CHECK(sentence(http_right::use, of(peer_user::other)).find("Bearer") != std::string::npos);
}
